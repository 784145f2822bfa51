package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// TakeoverSets returns lists of takeovers to try, each for one call of [Merge]. Records that share
// memory have to stay together, so that more takeovers may make a plan larger: a part that outlives
// the tensor it was cut from keeps a place in the middle of free memory, and so does a part that waits
// to be joined with others. Each list omits more of these than the previous one. Only the last list,
// which has just the takeovers between records of the same size, never makes a plan larger.
func TakeoverSets(records []lifetime.Record, takeovers []lifetime.Takeover) [][]lifetime.Takeover {
	r := roles{records, map[int]bool{}}
	for _, t := range takeovers {
		if r.cut(t) {
			r.parts[t.To] = true
		}
	}
	without := func(drop func(t lifetime.Takeover) bool) []lifetime.Takeover {
		return slices.DeleteFunc(slices.Clone(takeovers), drop)
	}
	all := [][]lifetime.Takeover{
		takeovers,
		without(r.outlives),
		without(func(t lifetime.Takeover) bool { return r.outlives(t) || r.joins(t) && r.parts[t.To] }),
		without(func(t lifetime.Takeover) bool { return r.outlives(t) || r.joins(t) }),
		without(func(t lifetime.Takeover) bool { return r.cut(t) || r.joins(t) }),
		Whole(records, takeovers),
	}
	return slices.CompactFunc(all, func(a, b []lifetime.Takeover) bool { return len(a) == len(b) })
}

// Narrowest merges records by each of several lists of takeovers, and returns the results by ascending
// breadth, which is a lower bound of their plans. keep is as in [Merge].
func Narrowest(records []lifetime.Record, ways [][]lifetime.Takeover, keep func(record int) bool) []*Merged {
	var list []*Merged
	for _, way := range ways {
		list = append(list, Merge(records, way, keep))
	}
	slices.SortStableFunc(list, func(a, b *Merged) int {
		return cmp.Compare(lifetime.MaxBreadth(a.Records), lifetime.MaxBreadth(b.Records))
	})
	return list
}

// roles classifies takeovers. parts are the records cut out of larger ones.
type roles struct {
	records []lifetime.Record
	parts   map[int]bool
}

// cut reports whether a takeover is by a part cut from a larger record.
func (r roles) cut(t lifetime.Takeover) bool {
	whole, part := r.records[t.From], r.records[t.To]
	return t.Offset >= 0 && whole.Size > part.Size && whole.First <= part.First
}

// outlives reports whether the cut part is alive longer than the larger record.
func (r roles) outlives(t lifetime.Takeover) bool {
	return r.cut(t) && r.records[t.To].Last > r.records[t.From].Last
}

// joins reports whether a takeover is of a part from which a larger record is joined.
func (r roles) joins(t lifetime.Takeover) bool {
	whole, part := r.records[t.From], r.records[t.To]
	return t.Offset >= 0 && whole.Size > part.Size && whole.First > part.First
}
