package shared

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// Improved is greedy by size in the stages of Pisarchyk and Lee 2020, section
// 4.4: first the sizes equal to the largest positional maximum, then those between it
// and the next, then those equal to the next, and so on.
func Improved(ctx context.Context, records problem.Records) (*Objects, error) {
	return inStages(ctx, records, func(atLeast int, equal bool) int {
		if equal {
			return 2 * atLeast
		}
		return 2*atLeast + 1
	})
}

// Distance is the authors' published code, the GPU delegate's GREEDY_BY_SIZE: a record's stage is the
// last positional maximum that is not below its size, so that sizes equal to a maximum and those below
// it are one stage.
func Distance(ctx context.Context, records problem.Records) (*Objects, error) {
	return inStages(ctx, records, func(atLeast int, _ bool) int { return atLeast })
}

// A staging numbers the stage of a size from the number of positional maxima that are at least the
// size, and from whether the last of them equals it. Stages with smaller numbers come first; numbers do
// not decrease with descending size.
type staging func(atLeast int, equal bool) int

// inStages assigns stage by stage. Within a stage the next record is the one next to which a suitable
// object has been, or will be, idle for the shortest time; equal distances by descending size, then
// row. A record without a suitable object comes after those with one and opens an object.
//
// By definition each assignment updates every waiting record. Here only the gaps between an object's
// uses are kept, each with the waiting record nearest to its edges, and the history of a record that
// the definition requires is computed for the few records for which it matters (see pickObject). That
// makes networks O(n log n) and stages as such no worse than O(n sqrt(n) log n) in total; but if most
// assignments tie many objects, the whole is quadratic in n.
func inStages(ctx context.Context, records problem.Records, number staging) (*Objects, error) {
	m := newMatcher(records)
	pulse := problem.Pulse{Context: ctx}
	for _, stage := range stages(records, number) {
		assign := m.assignStage
		if len(stage)*len(stage) <= m.count/4 {
			assign = m.assignSmallStage
		}
		if err := assign(&pulse, stage); err != nil {
			return nil, err
		}
	}
	return m.Objects, nil
}

// assignStage assigns a stage's records. It visits every gap once.
func (m *matcher) assignStage(pulse *problem.Pulse, stage []int) error {
	m.enter(stage)
	for k := 0; k < len(stage); {
		if err := pulse.Err(); err != nil {
			return err
		}
		if i, tied := m.nearest(); i >= 0 {
			m.assignTo(i, tied)
		} else if m.waits[stage[k]] {
			m.openFor(stage[k])
		} else {
			k++
		}
	}
	return nil
}

// assignSmallStage is assignStage for a stage whose number of records squared is below the number of
// gaps: it searches each record's nearest gap before each assignment. There may be as many stages as
// records, too many to visit all gaps in each.
func (m *matcher) assignSmallStage(pulse *problem.Pulse, stage []int) error {
	m.early, m.late = nil, nil
	for range stage {
		if err := pulse.Err(); err != nil {
			return err
		}
		m.assignNext(stage)
	}
	return nil
}

// assignNext assigns the next of the stage's waiting records, at least one.
func (m *matcher) assignNext(stage []int) {
	next, id, shortest := -1, -1, never
	several := false
	for _, i := range stage {
		if !m.waits[i] {
			continue
		}
		distance, user, tied := m.gaps.nearest(m.records[i])
		if next < 0 || distance < shortest {
			next, shortest, several = i, distance, tied
			if user >= 0 {
				id = m.Of[user]
			}
		}
	}
	switch {
	case shortest == never:
		m.openObject(next)
	case several:
		m.settle(next, m.pickObject(next, shortest))
	default:
		m.settle(next, id)
	}
}

// stages returns the records by stage, within a stage by descending size and then row.
func stages(records problem.Records, number staging) [][]int {
	maxima := lifetime.PositionalMaxima(records)
	var stages [][]int
	last := -1
	for _, i := range problem.BySize(records) {
		size := records[i].Size
		// The first maximum below the size ends the run of those not below it. The
		// largest size is itself a maximum, so the run is not empty.
		atLeast, _ := slices.BinarySearchFunc(maxima, size, func(maximum, size int64) int {
			if maximum >= size {
				return -1
			}
			return 1
		})
		stage := number(atLeast, maxima[atLeast-1] == size)
		if stage != last {
			stages, last = append(stages, nil), stage
		}
		stages[len(stages)-1] = append(stages[len(stages)-1], i)
	}
	return stages
}
