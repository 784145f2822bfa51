package cache

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
)

// A Geometry is the shape of a cache: Size bytes, in lines of Line bytes, in sets of Ways lines.
type Geometry struct{ Size, Line, Ways int64 }

// Defaults of a [Geometry].
const (
	DefaultLine = 64
	DefaultWays = 8
)

// maxLines is the largest number of lines in a cache, in the cached memory, and in one run. It bounds the memory
// and time of a simulation.
const maxLines = 1 << 25

// Check returns an error unless there can be such a cache: sets and bytes of a line are powers of two.
func (g Geometry) Check() error {
	switch {
	case !powerOfTwo(g.Line):
		return fmt.Errorf("a line of %s is not a power of two", units.ExactBytes(g.Line))
	case g.Size < g.Line:
		return fmt.Errorf("%s are less than a line of %s", units.ExactBytes(g.Size), units.ExactBytes(g.Line))
	case g.Ways < 1:
		return fmt.Errorf("a set has at least 1 way, not %d", g.Ways)
	case g.Ways > g.Size/g.Line:
		return fmt.Errorf("%s are fewer than %d lines of %s", units.ExactBytes(g.Size), g.Ways, units.ExactBytes(g.Line))
	case g.Size/g.Line > maxLines:
		return fmt.Errorf("%s in lines of %s are more than %s lines", units.ExactBytes(g.Size), units.ExactBytes(g.Line), units.Number(maxLines))
	case g.Size%(g.Line*g.Ways) != 0 || !powerOfTwo(g.Sets()):
		return fmt.Errorf("%s in sets of %d lines of %s: the number of sets is not a power of two", units.ExactBytes(g.Size), g.Ways, units.ExactBytes(g.Line))
	}
	return nil
}

// Sets returns the number of sets.
func (g Geometry) Sets() int64 { return g.Size / g.Line / g.Ways }

func powerOfTwo(n int64) bool { return n > 0 && n&(n-1) == 0 }
