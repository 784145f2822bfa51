package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Bound returns a number of bytes that no plan goes below, whichever of the takeovers and
// overlaps happen in it: the most that records hold at one position of which no two may take
// over each other's memory, less what overlaps can spare there. Its search ends after some tenths of a second, and may then return less than the
// largest such number.
func Bound(records []lifetime.Record, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) int64 {
	spared := lifetime.Spared(records, overlaps)
	b := bounder{partners: map[int][]int{}, held: make([]int64, len(records)), taken: make([]int, len(records)), left: mostSteps}
	for _, t := range takeovers {
		b.partners[t.From] = append(b.partners[t.From], t.To)
		b.partners[t.To] = append(b.partners[t.To], t.From)
	}
	pieces := held(records)
	// Where most is held most is likely to be apart, and nothing is where less is held.
	sections := lifetime.Sections(records)
	slices.SortStableFunc(sections, func(a, b lifetime.Section) int { return cmp.Compare(b.Breadth, a.Breadth) })
	var best int64
	for _, s := range sections {
		if s.Breadth <= best || b.left < 0 {
			break
		}
		most := b.most(pieces, s.First)
		if s.First == s.Last {
			most -= spared[s.First]
		}
		best = max(best, most)
	}
	return best
}

// mostSteps bounds the work in all, mostBranches how much of it is for choices at one
// position.
const (
	mostSteps    = 1 << 23
	mostBranches = 1 << 14
)

// A heldPiece is a time in which a record holds the same bytes, some at least.
type heldPiece struct {
	lifetime.Piece
	record int
}

// held returns the pieces of all records, those of more bytes first: they are taken first,
// so that what is found without a search is not bad.
func held(records []lifetime.Record) (list []heldPiece) {
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

// A bounder finds records that cannot share memory.
type bounder struct {
	// partners are the records that each may share memory with.
	partners map[int][]int
	// held is what each record holds that is still in question, in bytes; taken is with how
	// many of those it may share memory that are taken already.
	held  []int64
	taken []int
	// left is how much work may be done yet, branches how many choices at the position.
	left, branches int
}

// most returns the most bytes held at a position by records of which no two may share memory.
func (b *bounder) most(pieces []heldPiece, position int) int64 {
	b.left, b.branches = b.left-len(pieces), mostBranches
	var order []int
	for _, p := range pieces {
		if p.First <= position && position <= p.Last {
			order = append(order, p.record)
			b.held[p.record] = p.Hi - p.Lo
		}
	}
	most := b.apart(order)
	for _, i := range order {
		b.held[i] = 0
	}
	return most
}

// apart returns the most bytes of records of which no two may share memory, out of those
// in order that may not with any that is taken.
func (b *bounder) apart(order []int) int64 {
	for len(order) > 0 && b.taken[order[0]] > 0 {
		order = order[1:]
	}
	if len(order) == 0 {
		return 0
	}
	i, rest := order[0], order[1:]
	held := b.held[i]
	b.held[i] = 0
	rival := false // whether to leave i may let another in
	for _, j := range b.partners[i] {
		rival = rival || b.taken[j] == 0 && b.held[j] > 0
		b.taken[j]++
	}
	b.left -= 1 + len(b.partners[i])
	sum := held + b.apart(rest)
	for _, j := range b.partners[i] {
		b.taken[j]--
	}
	if b.branches--; rival && b.branches > 0 && b.left > 0 {
		sum = max(sum, b.apart(rest))
	}
	b.held[i] = held
	return sum
}
