package disjunctive

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// An instance is a problem in units of grain bytes, cut into independent parts.
type instance struct {
	records []lifetime.Record
	grain   int64
	parts   []*part
}

// A part is a set of tensors connected by pairs.
type part struct {
	tensors  []tensor
	pairs    []pair
	sections [][]heldBytes
	// explicitPairs reports that the pairs do not come from the pieces.
	explicitPairs bool
	// padding is the common multiple of the sections' ends, or zero if they are not rounded.
	padding int64
}

// A tensor is a non-empty record. Sizes, alignments and pins are in grains.
type tensor struct {
	record      int // its index among the problem's records
	size, align int64
	pinned      bool
	pin         int64
	pieces      []piece
}

// A piece is a time, both ends inclusive, and the bytes held meanwhile, [lo, hi), in
// grains from the tensor's start.
type piece struct {
	first, last int
	lo, hi      int64
}

// newInstance returns nil if there are more records, pieces or forbidden ranges than the search
// accepts.
func newInstance(p Problem) *instance {
	rows, ok := rowsOf(p.Records)
	if !ok {
		return nil
	}
	var given [][][]lifetime.Range
	if p.Forbid != nil {
		if given, ok = askForbidden(p, rows); !ok {
			return nil
		}
	}
	in := &instance{records: p.Records, grain: grainOf(p.Records, given)}
	var tensors []tensor
	for _, i := range rows {
		r := p.Records[i]
		t := tensor{record: i, size: r.Size / in.grain, align: 1, pinned: r.Pinned, pin: r.Offset / in.grain, pieces: cut(r, in.grain)}
		if a := r.Alignment(); a > in.grain {
			t.align = a / in.grain
		}
		tensors = append(tensors, t)
	}
	if p.Forbid == nil {
		in.parts = split(tensors, pairsOf(tensors))
	} else {
		in.parts = split(tensors, inGrains(given, in.grain))
	}
	for _, part := range in.parts {
		if part.explicitPairs = p.Forbid != nil; part.explicitPairs {
			part.sections = cliques(part)
		} else {
			part.sections = sectionsOf(part.tensors)
		}
	}
	return in
}

// rowsOf returns the non-empty records, and whether the search accepts them.
func rowsOf(records []lifetime.Record) (rows []int, ok bool) {
	pieces := 0
	for i, r := range records {
		if r.Size == 0 {
			continue
		}
		pieces += 2*len(r.Gaps) + 1
		if len(rows) == MaxRecords || pieces > maxPieces {
			return nil, false
		}
		rows = append(rows, i)
	}
	return rows, true
}

// grainOf returns the largest number of bytes that divides all relevant amounts: sizes, windows, pins,
// the differences next to a forbidden range, and each alignment that is not a divisor of it. Offsets
// may then be multiples of it too: rounding down all offsets of a plan brings no two closer than
// allowed, breaks no alignment and raises none.
func grainOf(records []lifetime.Record, given [][][]lifetime.Range) int64 {
	grain := grainOfRanges(given)
	for _, r := range records {
		if r.Size == 0 {
			continue
		}
		grain = integer.GCD(grain, r.Size)
		for _, g := range r.Gaps {
			grain = integer.GCD(integer.GCD(grain, g.Lo), g.Hi)
		}
		if r.Pinned {
			grain = integer.GCD(grain, r.Offset)
		}
	}
	for changed := grain > 0; changed; {
		changed = false
		for _, r := range records {
			if a := r.Alignment(); r.Size > 0 && grain%a != 0 && a%grain != 0 {
				grain, changed = integer.GCD(grain, a), true
			}
		}
	}
	return max(grain, 1)
}

// cut cuts a record at the ends of its gaps, without the times at which it holds no bytes.
func cut(r lifetime.Record, grain int64) []piece {
	var pieces []piece
	at := r.First
	for _, g := range r.Gaps {
		if at < g.First {
			pieces = append(pieces, piece{first: at, last: g.First - 1, lo: 0, hi: r.Size / grain})
		}
		if g.Lo < g.Hi {
			pieces = append(pieces, piece{first: g.First, last: g.Last, lo: g.Lo / grain, hi: g.Hi / grain})
		}
		at = g.Last + 1
	}
	if at <= r.Last {
		pieces = append(pieces, piece{first: at, last: r.Last, lo: 0, hi: r.Size / grain})
	}
	return pieces
}

// split finds the parts: tensors in different ones are never kept apart, not even indirectly.
func split(tensors []tensor, pairs []pair) []*part {
	leader := make([]int, len(tensors))
	for i := range leader {
		leader[i] = i
	}
	find := func(i int) int {
		for leader[i] != i {
			i = leader[i]
		}
		return i
	}
	for _, p := range pairs {
		if i, j := find(p.i), find(p.j); i != j {
			leader[j] = i
		}
	}
	byLeader := map[int]*part{}
	var parts []*part
	place := make([]int, len(tensors)) // within its part
	for i, t := range tensors {
		p := byLeader[find(i)]
		if p == nil {
			p = &part{}
			byLeader[find(i)] = p
			parts = append(parts, p)
		}
		place[i] = len(p.tensors)
		p.tensors = append(p.tensors, t)
	}
	for _, q := range pairs {
		p := byLeader[find(q.i)]
		p.pairs = append(p.pairs, pair{place[q.i], place[q.j], q.forbidden})
	}
	// The smallest first: a small part may refute the whole.
	slices.SortStableFunc(parts, func(p, q *part) int { return cmp.Compare(len(p.tensors), len(q.tensors)) })
	return parts
}

// fit answers for a capacity in bytes.
func (in *instance) fit(m *meter, capacity int64) Result {
	// All records end to end above the pins always suffice.
	units := min(capacity, 2*lifetime.MaxTotal) / in.grain
	if capacity < 0 {
		return Result{Answer: problem.Misfit, Nodes: m.nodes}
	}
	offsets := make([]int64, len(in.records))
	for i, r := range in.records {
		if r.Size == 0 && r.Pinned {
			offsets[i] = r.Offset
		}
	}
	result := problem.Fits
	for _, p := range in.parts {
		switch p.fit(m, units, func(record int, at int64) { offsets[record] = at * in.grain }) {
		case problem.Misfit:
			return Result{Answer: problem.Misfit, Nodes: m.nodes}
		case problem.Unknown:
			result = problem.Unknown // another part may still be a misfit
		}
	}
	if result != problem.Fits {
		offsets = nil
	}
	return Result{Answer: result, Offsets: offsets, Nodes: m.nodes}
}
