package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Bound returns a lower bound of all plans in bytes, whichever takeovers and overlaps they use: the
// most bytes at one position of records that cannot share memory pairwise, less the largest saving by
// overlaps there. The search ends after some tenths of a second and may then return a weaker bound.
func Bound(records []lifetime.Record, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) int64 {
	spared := lifetime.Spared(records, overlaps)
	b := independentSet{partners: map[int][]int{}, bytes: make([]int64, len(records)), takenPartners: make([]int, len(records)), budget: maxSteps}
	for _, t := range takeovers {
		b.partners[t.From] = append(b.partners[t.From], t.To)
		b.partners[t.To] = append(b.partners[t.To], t.From)
	}
	pieces := heldPieces(records)
	// Sections of more bytes are likely to give a higher bound; a section below the bound gives none.
	sections := lifetime.Sections(records)
	slices.SortStableFunc(sections, func(a, b lifetime.Section) int { return cmp.Compare(b.Breadth, a.Breadth) })
	var best int64
	for _, s := range sections {
		if s.Breadth <= best || b.budget < 0 {
			break
		}
		most := b.maxAt(pieces, s.First)
		if s.First == s.Last {
			most -= spared[s.First]
		}
		best = max(best, most)
	}
	return best
}

// maxSteps bounds the total work, maxBranches the work for choices at one position.
const (
	maxSteps    = 1 << 23
	maxBranches = 1 << 14
)

// A heldPiece is a piece of a record that holds at least one byte.
type heldPiece struct {
	lifetime.Piece
	record int
}

// heldPieces returns the pieces of all records by descending size, for a good first solution.
func heldPieces(records []lifetime.Record) (list []heldPiece) {
	for i, r := range records {
		for p := range r.Pieces {
			if p.Lo < p.Hi {
				list = append(list, heldPiece{p, i})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b heldPiece) int { return cmp.Compare(b.Hi-b.Lo, a.Hi-a.Lo) })
	return list
}

// An independentSet finds records that cannot share memory.
type independentSet struct {
	// partners are the permitted sharing partners of each record.
	partners map[int][]int
	// bytes is the size in bytes of each undecided record; takenPartners is the number of its partners
	// that are taken.
	bytes         []int64
	takenPartners []int
	// budget is the remaining work, branches the remaining choices at the position.
	budget, branches int
}

// maxAt returns the most bytes held at a position by records that cannot share memory pairwise.
func (b *independentSet) maxAt(pieces []heldPiece, position int) int64 {
	b.budget, b.branches = b.budget-len(pieces), maxBranches
	var order []int
	for _, p := range pieces {
		if p.First <= position && position <= p.Last {
			order = append(order, p.record)
			b.bytes[p.record] = p.Hi - p.Lo
		}
	}
	most := b.maxBytes(order)
	for _, i := range order {
		b.bytes[i] = 0
	}
	return most
}

// maxBytes returns the most bytes of records in order that can share memory neither with each other nor
// with a taken one.
func (b *independentSet) maxBytes(order []int) int64 {
	for len(order) > 0 && b.takenPartners[order[0]] > 0 {
		order = order[1:]
	}
	if len(order) == 0 {
		return 0
	}
	i, rest := order[0], order[1:]
	held := b.bytes[i]
	b.bytes[i] = 0
	rival := false // omitting i may admit another record
	for _, j := range b.partners[i] {
		rival = rival || b.takenPartners[j] == 0 && b.bytes[j] > 0
		b.takenPartners[j]++
	}
	b.budget -= 1 + len(b.partners[i])
	sum := held + b.maxBytes(rest)
	for _, j := range b.partners[i] {
		b.takenPartners[j]--
	}
	if b.branches--; rival && b.branches > 0 && b.budget > 0 {
		sum = max(sum, b.maxBytes(rest))
	}
	b.bytes[i] = held
	return sum
}
