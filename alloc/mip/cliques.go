package mip

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// cliques calls yield with each maximal set of members, which are indices of records, that are alive at
// a common position, in order of time. yield must not keep the set. It ends with yield's first error.
func cliques(records []lifetime.Record, members []int, yield func(alive []int) error) error {
	order := slices.Clone(members)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	var alive []int
	for _, born := range order {
		// A set is maximal if a member ends before the next record begins.
		dead := func(i int) bool { return records[i].Last < records[born].First }
		if slices.ContainsFunc(alive, dead) {
			if err := yield(alive); err != nil {
				return err
			}
			alive = slices.DeleteFunc(alive, dead)
		}
		alive = append(alive, born)
	}
	if len(alive) == 0 {
		return nil
	}
	return yield(alive)
}
