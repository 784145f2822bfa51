package coloring

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// An item is an interval over the cliques of an instance, from..to inclusive. The size is a rank: 1 is
// the smallest occurring size.
type item struct {
	from, to, rank int
}

// An instance is a set of items and their maximal cliques: the largest sets of items alive at one time,
// in the order of time. Two items overlap exactly if a clique has both, so that the positions between
// do not matter.
type instance struct {
	items   []item
	cliques [][]int // live items, unordered
	starts  [][]int // items by their first of several cliques
	// twin is, for each item, the next one alive in exactly the same cliques, by descending size; -1
	// for the last.
	twin []int
}

// newInstance maps the positions of items to maximal cliques. It returns nil if the cliques have more
// than room items together.
func newInstance(items []item, room int) *instance {
	in := &instance{items: slices.Clone(items)}
	byStart := order(items, func(i item) int { return i.from })
	byEnd := order(items, func(i item) int { return i.to })
	alive := newIndexSet(len(items))
	ended := 0
	for k, i := range byStart {
		alive.add(i)
		in.items[i].from = len(in.cliques)
		// The clique is maximal if the next event is an end.
		next := k + 1
		if next < len(byStart) && items[byStart[next]].from <= items[byEnd[ended]].to {
			continue
		}
		if room -= len(alive.list); room < 0 {
			return nil
		}
		in.cliques = append(in.cliques, slices.Clone(alive.list))
		for ended < len(byEnd) && (next == len(byStart) || items[byEnd[ended]].to < items[byStart[next]].from) {
			in.items[byEnd[ended]].to = len(in.cliques) - 1
			alive.remove(byEnd[ended])
			ended++
		}
	}
	in.findStarts()
	in.findTwins()
	return in
}

// order returns the indices of items by rising key, equal ones by index.
func order(items []item, key func(item) int) []int {
	indices := make([]int, len(items))
	for i := range indices {
		indices[i] = i
	}
	slices.SortStableFunc(indices, func(i, j int) int { return cmp.Compare(key(items[i]), key(items[j])) })
	return indices
}

func (in *instance) findStarts() {
	in.starts = make([][]int, len(in.cliques))
	for i, it := range in.items {
		if it.from < it.to {
			in.starts[it.from] = append(in.starts[it.from], i)
		}
	}
}

func (in *instance) findTwins() {
	indices := make([]int, len(in.items))
	in.twin = make([]int, len(in.items))
	for i := range indices {
		indices[i], in.twin[i] = i, -1
	}
	slices.SortFunc(indices, func(i, j int) int {
		a, b := in.items[i], in.items[j]
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(b.rank, a.rank), cmp.Compare(i, j))
	})
	for k := 1; k < len(indices); k++ {
		a, b := in.items[indices[k-1]], in.items[indices[k]]
		if a.from == b.from && a.to == b.to {
			in.twin[indices[k-1]] = indices[k]
		}
	}
}

// window returns the part of the instance in the cliques from..to, inclusive. Items alive longer are
// cut. A vector without room for the part has none for the whole.
func (in *instance) window(from, to int) *instance {
	var items []item
	for _, i := range in.items {
		if i.from <= to && i.to >= from {
			items = append(items, item{max(i.from, from), min(i.to, to), i.rank})
		}
	}
	return newInstance(items, len(in.items)*len(in.cliques))
}

// maxima returns the positional maxima: the k-th is the largest rank reached by at least k items of one
// clique.
func (in *instance) maxima() []int {
	var maxima []int
	for _, clique := range in.cliques {
		ranks := make([]int, len(clique))
		for k, i := range clique {
			ranks[k] = in.items[i].rank
		}
		slices.SortFunc(ranks, func(a, b int) int { return b - a })
		for k, rank := range ranks {
			if k == len(maxima) {
				maxima = append(maxima, 0)
			}
			maxima[k] = max(maxima[k], rank)
		}
	}
	return maxima
}

// An indexSet is a set of small numbers.
type indexSet struct {
	list []int
	at   []int // index of each number in the list
}

func newIndexSet(n int) *indexSet { return &indexSet{at: make([]int, n)} }

func (s *indexSet) add(i int) {
	s.at[i] = len(s.list)
	s.list = append(s.list, i)
}

func (s *indexSet) remove(i int) {
	last := s.list[len(s.list)-1]
	s.list[s.at[i]], s.at[last] = last, s.at[i]
	s.list = s.list[:len(s.list)-1]
}
