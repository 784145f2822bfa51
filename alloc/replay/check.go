package replay

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// checkedAtOnce is how many blocks that begin are checked together, at least.
const checkedAtOnce = 1 << 18

// check has the checker look at a part's plan, at one stretch of the trace after the other. Blocks
// that are alive at the same time are both there in the stretch in which the later one of them
// begins. The records of millions of blocks would take more memory and time.
func (p *Profile) check(part *Part) error { return p.checkStretches(part, checkedAtOnce) }

// checkStretches is check with at least so many blocks that begin in each stretch.
func (p *Profile) checkStretches(part *Part, atOnce int) error {
	var held []int // the blocks that go on behind a stretch, by their places in the part
	var total int64
	for from, to := 0, 0; from < len(part.Lives); from = to {
		to = min(from+max(atOnce, len(held)), len(part.Lives))
		for k := from; k < to; k++ {
			held = append(held, k)
		}
		end, err := p.checkTogether(part, held)
		if err != nil {
			return err
		}
		if total = max(total, end); to < len(part.Lives) {
			next := p.Lives[part.Lives[to]].First
			held = slices.DeleteFunc(held, func(k int) bool { return p.Lives[part.Lives[k]].Last < next })
		}
	}
	if total != part.Total {
		return fmt.Errorf("the plan says %s, but its blocks end at %s", units.ExactBytes(part.Total), units.Number(total))
	}
	return nil
}

// checkTogether has the checker look at some blocks of a part, and returns where they end in bytes.
func (p *Profile) checkTogether(part *Part, blocks []int) (end int64, err error) {
	records, offsets := make([]lifetime.Record, len(blocks)), make([]int64, len(blocks))
	for n, k := range blocks {
		records[n], offsets[n] = p.record(part.Lives[k]), part.Offsets[k]
		if records[n].Size > 0 {
			end = max(end, offsets[n]+records[n].Size)
		}
	}
	return end, check.Offsets(records, offsets, end)
}
