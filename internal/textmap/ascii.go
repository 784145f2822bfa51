package textmap

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/tflarena/tflarena/internal/memorymap"
)

// The signs of buffers in the maps of TensorFlow Lite Micro, by number, and the sign of all further
// buffers; the signs of unused bytes, and of bytes used twice at once.
const (
	microSigns             = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	microMore              = '*'
	microFree, microShared = '.', '!'
)

// microWidth is the width of the arena in these maps.
const microWidth = 80

// ASCII returns the plan as TensorFlow Lite Micro prints it (GreedyMemoryPlanner::PrintMemoryPlan): a
// line for each buffer, then one for each position, with addresses from left to right and the KiB in
// use, rounded up, at its end. Positions before 0 are omitted, as there.
func ASCII(m memorymap.Map) string {
	var b strings.Builder
	most, last := int64(microWidth), 0
	for i, r := range m.Records {
		fmt.Fprintf(&b, "%c (id=%d): size=%d, offset=%d, first_used=%d last_used=%d\n", microSign(i), i, r.Size, m.Offsets[i], r.First, r.Last)
		most, last = max(most, m.Offsets[i]+r.Size), max(last, r.Last)
	}
	for t := 0; t <= last; t++ {
		line, used := microLine(m, t, most)
		fmt.Fprintf(&b, "%2d: %s (%dk)\n", t, line, (used+1023)/1024)
	}
	return b.String()
}

// microLine returns the signs at a position, and the number of bytes in use.
func microLine(m memorymap.Map, t int, most int64) (line []byte, used int64) {
	line = []byte(strings.Repeat(string(microFree), microWidth))
	for i, r := range m.Records {
		if t < r.First || t > r.Last {
			continue
		}
		used += r.Size
		column := func(address int64) int {
			hi, lo := bits.Mul64(uint64(address), microWidth) // which overflows int for large arenas
			n, _ := bits.Div64(hi, lo, uint64(most))
			return int(n)
		}
		for n := column(m.Offsets[i]); n < column(m.Offsets[i]+r.Size); n++ {
			if line[n] == microFree {
				line[n] = microSign(i)
			} else {
				line[n] = microShared
			}
		}
	}
	return line, used
}

func microSign(i int) byte {
	if i < len(microSigns) {
		return microSigns[i]
	}
	return microMore
}
