package mip

import (
	"cmp"
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A pair is a range of forbidden distances between two records: the difference of the offsets of
// records j and i, in bytes, is at most lo or at least hi. Two records without gaps that overlap in
// time make one pair, from minus the size of j to the size of i. Two that may share bytes make one for
// each range that is still forbidden.
type pair struct {
	i, j   int
	nth    int // among the pairs of i and j
	lo, hi int64
}

// name identifies the records and, if there are several, the range.
func (p pair) name() string {
	if p.nth == 0 {
		return fmt.Sprintf("%d_%d", p.i, p.j)
	}
	return fmt.Sprintf("%d_%d_%d", p.i, p.j, p.nth)
}

// pairsOf returns the pairs of all non-empty records, i below j, in order of i, then j, then distance:
// the set E of Sekiyama et al. 2018.
func pairsOf(records []lifetime.Record, apart Forbid) ([]pair, error) {
	if apart == nil {
		apart = lifetime.Forbidden(records, nil, nil)
	}
	order := nonEmpty(records)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(records[a].First, records[b].First) })
	var pairs []pair
	var alive []int
	for _, born := range order {
		alive = slices.DeleteFunc(alive, func(i int) bool { return records[i].Last < records[born].First })
		for _, other := range alive {
			pairs = appendPairs(pairs, min(born, other), max(born, other), apart)
			if len(pairs) > MaxBinaries {
				return nil, fmt.Errorf("more than %d pairs of records that are alive at once: %w", MaxBinaries, ErrTooLarge)
			}
		}
		alive = append(alive, born)
	}
	sort.Slice(pairs, func(i, j int) bool {
		a, b := &pairs[i], &pairs[j]
		return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j), cmp.Compare(a.nth, b.nth)) < 0
	})
	return pairs, nil
}

func appendPairs(pairs []pair, i, j int, apart Forbid) []pair {
	for nth, r := range apart(i, j) {
		pairs = append(pairs, pair{i: i, j: j, nth: nth, lo: r.Lo - 1, hi: r.Hi + 1})
	}
	return pairs
}

func nonEmpty(records []lifetime.Record) []int {
	var indices []int
	for i, r := range records {
		if r.Size > 0 {
			indices = append(indices, i)
		}
	}
	return indices
}
