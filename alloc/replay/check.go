package replay

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// minSectionBlocks is the least number of blocks that begin in a section of [Profile.check].
const minSectionBlocks = 1 << 18

// check checks the plan of a part, one section of the trace after the other, since the records of
// millions of blocks take much memory. At least atOnce blocks begin in a section. Two blocks alive at
// the same time are both alive in the later one's first section.
func (p *Profile) check(part *Part, atOnce int) error {
	var held []int // indexes in the part of the blocks alive in the next section
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

// checkTogether checks some blocks of a part, and returns the end of the highest one in bytes.
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
