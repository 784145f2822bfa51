package alloc

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// bySizeImproved is greedy by size in stages (Pisarchyk and Lee 2020, section 4.4;
// the GPU delegate's GREEDY_BY_SIZE). A record's stage is the last positional
// maximum that is not below its size. Within a stage the next record is the one that
// some suitable object has been, or will be, idle next to for the shortest time;
// equal distances by falling size, then row. A record with no suitable object comes
// after those with one and opens an object.
//
// By definition each assignment updates every waiting record. Here only the gaps
// between an object's uses are kept, each with the waiting record nearest to its
// edges, and what the definition would remember of a record's past is worked out
// for the few records for which it matters (see pickObject).
func bySizeImproved(ctx context.Context, p *problem) (*Plan, error) {
	m := newMatcher(p.records)
	pulse := pulse{ctx: ctx}
	for _, stage := range stages(p.records) {
		m.enter(stage)
		for k := 0; k < len(stage); {
			if err := pulse.err(); err != nil {
				return nil, err
			}
			if i, tied := m.nearest(); i >= 0 {
				m.assignTo(i, tied)
			} else if m.waits[stage[k]] {
				m.openFor(stage[k])
			} else {
				k++
			}
		}
	}
	return m.plan(), nil
}

// stages returns the records by stage, within a stage by falling size and then row.
func stages(records Records) [][]int {
	maxima := lifetime.PositionalMaxima(records)
	var stages [][]int
	last := -1
	for _, i := range bySizeOrder(records) {
		// The first maximum below the size ends the run of those not below it.
		stage, _ := slices.BinarySearchFunc(maxima, records[i].Size, func(maximum, size int64) int {
			if maximum >= size {
				return -1
			}
			return 1
		})
		if stage != last {
			stages, last = append(stages, nil), stage
		}
		stages[len(stages)-1] = append(stages[len(stages)-1], i)
	}
	return stages
}
