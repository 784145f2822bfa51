package exact

import (
	"math/big"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
)

// maxReachUnits bounds the number of totals, in steps, that reachableFrom tries.
const maxReachUnits = 1 << 20

// reachableFrom returns the smallest possible total of records of at least a bound, both in bytes. In
// the smallest packing whose records cannot be lowered, the topmost record lies on another, that one on
// the next, and so on down to the bottom: the total is a sum of sizes. Alignments, pins and windows
// allow other totals; then it returns the bound, as it does if the bound is large in units of the
// common divisor.
func reachableFrom(records problem.Records, step, from, to int64) int64 {
	if to/step > maxReachUnits || hasWindows(records) {
		return from
	}
	sums := big.NewInt(1)
	mask := new(big.Int).Lsh(big.NewInt(1), uint(to/step)+1)
	mask.Sub(mask, big.NewInt(1))
	for _, r := range records {
		if r.Pinned || step%r.Alignment() != 0 {
			return from
		}
		if r.Size <= to {
			sums.Or(sums, new(big.Int).Lsh(sums, uint(r.Size/step)))
			sums.And(sums, mask)
		}
	}
	for total := integer.RoundUp(from, step); total < to; total += step {
		if sums.Bit(int(total/step)) == 1 {
			return total
		}
	}
	return to
}
