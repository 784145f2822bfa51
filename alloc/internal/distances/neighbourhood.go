package distances

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// windowSizes are numbers of records to search by themselves, and maxCentres the number of positions to
// search around.
var windowSizes = []int{16, 40, 96}

const maxCentres = 6

// window searches for a few records of a part that do not fit into a capacity by themselves, alive
// around the first positions with the largest loads. Such a proof is quick even if the whole part is
// too large for a search.
func (s *search) window(rows []int, capacity, nodes int64) []int {
	centres := slices.Clone(rows)
	slices.SortStableFunc(centres, func(i, j int) int { return cmp.Compare(s.load[j], s.load[i]) })
	for _, size := range windowSizes {
		if size >= len(rows) {
			break
		}
		looked := map[int]bool{}
		for _, centre := range centres {
			if s.load[centre] <= capacity || len(looked) >= maxCentres*size || s.spent() {
				break
			}
			if looked[centre] {
				continue
			}
			near := s.around(rows, centre, size)
			for _, i := range near {
				looked[i] = true
			}
			found := s.sub(near).Fit(s.ctx, capacity, s.allowed(nodes))
			s.nodes += found.Nodes
			if found.Answer == problem.Misfit {
				return near
			}
		}
	}
	return nil
}

// around returns the records that are alive nearest to the first position of one, ascending.
func (s *search) around(rows []int, centre, size int) []int {
	at := s.records[centre].First
	distance := func(i int) int { return max(s.records[i].First-at, at-s.records[i].Last, 0) }
	near := slices.Clone(rows)
	slices.SortStableFunc(near, func(i, j int) int {
		return cmp.Or(distance(i)-distance(j), cmp.Compare(s.records[j].Size, s.records[i].Size))
	})
	near = near[:min(size, disjunctive.MaxRecords, len(near))]
	slices.Sort(near)
	return near
}

// allowed caps a number of nodes by the rest of the limit; zero means no limit.
func (s *search) allowed(nodes int64) int64 {
	if left := s.maxNodes - s.nodes; s.maxNodes > 0 && (nodes == 0 || left < nodes) {
		return max(left, 1)
	}
	return nodes
}
