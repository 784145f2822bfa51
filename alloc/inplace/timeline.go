package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A timeline is records by their first position. reach is the largest last position of the records up
// to each.
type timeline struct{ list, reach []int }

// timelineOf returns the timeline of one record or more.
func timelineOf(records []lifetime.Record, list ...int) timeline {
	t := timeline{list: slices.Clone(list)}
	t.order(records)
	return t
}

func (t *timeline) order(records []lifetime.Record) {
	slices.SortStableFunc(t.list, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	t.reach = t.reach[:0]
	t.extend(records)
}

// extend extends reach to all records.
func (t *timeline) extend(records []lifetime.Record) {
	for k := len(t.reach); k < len(t.list); k++ {
		reach := records[t.list[k]].Last
		if k > 0 {
			reach = max(reach, t.reach[k-1])
		}
		t.reach = append(t.reach, reach)
	}
}

// mayOverlap yields the records of a timeline that may be alive together with a record: those that
// begin no later than it ends, in reverse order, as long as any of the others ends no earlier than it
// begins.
func (t timeline) mayOverlap(records []lifetime.Record, r lifetime.Record, yield func(i int) bool) bool {
	behind, _ := slices.BinarySearchFunc(t.list, r.Last+1, func(i, position int) int { return cmp.Compare(records[i].First, position) })
	for k := behind - 1; k >= 0 && t.reach[k] >= r.First; k-- {
		if !yield(t.list[k]) {
			return false
		}
	}
	return true
}

// with returns the union of both timelines. If one follows the other, as along a chain of operators, it
// takes time for the second one only.
func (t timeline) with(records []lifetime.Record, other timeline) timeline {
	follows := records[other.list[0]].First >= records[t.list[len(t.list)-1]].First
	t.list = append(t.list, other.list...)
	if follows {
		t.extend(records)
	} else {
		t.order(records)
	}
	return t
}
