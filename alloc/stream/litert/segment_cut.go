package litert

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// cutCost is the fixed cost of a cut, in bytes copied.
const cutCost = 256 << 10

// A cutter chooses the cuts of a model.
type cutter struct {
	points []segment.Point
	before []int64 // prefix sums of the bytes of the operators' weights
}

func newCutter(m *tflite.Model) (*cutter, error) {
	points, err := segment.Points(m)
	if err != nil {
		return nil, err
	}
	s := &m.Subgraphs[0]
	c := &cutter{points: points, before: make([]int64, len(s.Operators)+1)}
	for i := range s.Operators {
		c.before[i+1] = c.before[i]
		for _, t := range s.Operators[i].Inputs {
			if t >= 0 && s.Tensors[t].Constant {
				c.before[i+1] += int64(len(m.Buffer(&s.Tensors[t]).Data))
			}
		}
	}
	return c, nil
}

// limits returns sizes of segments to try, in bytes of weights: halves from all weights down to the
// weights of the largest operator and below, and zero, which means one operator per segment.
func (c *cutter) limits() []int64 {
	var largest int64
	for i := range c.before[1:] {
		largest = max(largest, c.before[i+1]-c.before[i])
	}
	list := []int64{math.MaxInt64}
	for bytes := c.weights() / 2; bytes > largest && len(list) < 12; bytes /= 2 {
		list = append(list, bytes)
	}
	return append(list, largest, largest/2, largest/4, 0)
}

func (c *cutter) weights() int64 { return c.before[len(c.before)-1] }

// cut returns the operators after which to cut so that the weights of each segment have at most limit
// bytes, if the points allow it, at the least cost.
func (c *cutter) cut(limit int64) []int {
	if limit >= c.weights() {
		return nil
	}
	var after []int
	if limit == 0 {
		for _, p := range c.points {
			after = append(after, p.After)
		}
		return after
	}
	// Cut k is after point k-1. least[k] is the least cost of all cuts up to k, and from[k] the last
	// one before it.
	n := len(c.points)
	least, from := make([]int64, n+2), make([]int, n+2)
	for k := 1; k <= n+1; k++ {
		least[k] = math.MaxInt64
		for j := k - 1; j >= 0; j-- {
			if j < k-1 && c.before[c.first(k)]-c.before[c.first(j)] > limit {
				break
			}
			if cost := least[j] + c.cost(j); cost < least[k] {
				least[k], from[k] = cost, j
			}
		}
	}
	for k := from[n+1]; k > 0; k = from[k] {
		after = append(after, c.points[k-1].After)
	}
	slices.Reverse(after)
	return after
}

// first returns the first operator after cut k. Cut 0 is before the first operator, and cut
// len(points)+1 after the last.
func (c *cutter) first(k int) int {
	switch {
	case k == 0:
		return 0
	case k > len(c.points):
		return len(c.before) - 1
	}
	return c.points[k-1].After + 1
}

// cost returns the cost of cut k: its live tensors are copied out and in.
func (c *cutter) cost(k int) int64 {
	if k == 0 {
		return 0
	}
	return cutCost + c.points[k-1].Bytes
}
