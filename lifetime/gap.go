package lifetime

import (
	"iter"
	"slices"

	"github.com/tflarena/tflarena/internal/units"
)

// A Gap is a part of a tensor's live range during which it holds only some of its bytes, or
// none: for example, a buffer that is filled slice by slice, or whose contents are temporarily
// stored elsewhere (the gaps and windows of MiniMalloc, Moffitt 2023).
type Gap struct {
	// First and Last are positions, both inclusive.
	First, Last int
	// Lo and Hi are the bytes that the tensor holds during the gap, [Lo, Hi), relative to its
	// own first byte. If they are equal, it holds none.
	Lo, Hi int64
}

// A Piece is a part of a tensor's live range during which it holds the same bytes.
type Piece struct {
	// First and Last are positions, both inclusive.
	First, Last int
	// Lo and Hi are the bytes that the tensor holds, [Lo, Hi), relative to its own first byte.
	Lo, Hi int64
}

// Pieces yields the pieces of r in chronological order: the times between its gaps, and the
// gaps in which it holds at least one byte. Two records share a byte only if two of their
// pieces do. A record without gaps is one piece.
func (r Record) Pieces(yield func(Piece) bool) {
	from := r.First
	for _, g := range r.Gaps {
		if from < g.First && !yield(Piece{First: from, Last: g.First - 1, Lo: 0, Hi: r.Size}) {
			return
		}
		if g.Lo < g.Hi && !yield(Piece(g)) {
			return
		}
		from = g.Last + 1
	}
	if from <= r.Last {
		yield(Piece{First: from, Last: r.Last, Lo: 0, Hi: r.Size})
	}
}

// Meet reports whether two records at offsets atR and atS, in bytes, share a byte at some
// position. Its time is linear in the number of their pieces.
func Meet(r, s Record, atR, atS int64) bool {
	if !r.Overlaps(s) || r.Size == 0 || s.Size == 0 || atR+r.Size <= atS || atS+s.Size <= atR {
		return false
	}
	for p, q := range PiecesTogether(r, s) {
		if atR+p.Lo < atS+q.Hi && atS+q.Lo < atR+p.Hi {
			return true
		}
	}
	return false
}

// PiecesTogether yields the pairs of pieces of r and s with a common position, in chronological
// order. Its time is linear in the number of pieces of both.
func PiecesTogether(r, s Record) iter.Seq2[Piece, Piece] {
	return func(yield func(Piece, Piece) bool) {
		later := slices.Collect(s.Pieces)
		for p := range r.Pieces {
			for len(later) > 0 && later[0].Last < p.First {
				later = later[1:]
			}
			for _, q := range later {
				if q.First > p.Last {
					break
				}
				if !yield(p, q) {
					return
				}
			}
		}
	}
}

// held returns the number of bytes that r holds at a position, and whether it is alive there,
// outside of empty gaps. A tensor of size zero is alive without holding a byte.
func (r Record) held(position int) (bytes int64, alive bool) {
	for p := range r.Pieces {
		if p.First <= position && position <= p.Last {
			return p.Hi - p.Lo, true
		}
	}
	return 0, false
}

// HasGaps reports whether any of the records has a gap.
func HasGaps(records []Record) bool {
	for _, r := range records {
		if len(r.Gaps) > 0 {
			return true
		}
	}
	return false
}

// checkGaps reports the first invalid gap of record i. Gaps must be within the record's
// interval, in chronological order, separate, and hold bytes of the record.
func checkGaps(i int, r Record) error {
	for k, g := range r.Gaps {
		switch {
		case g.First > g.Last:
			return recordError(i, r, "has a gap from position %d to %d: the gap is empty", g.First, g.Last)
		case g.First < r.First || g.Last > r.Last:
			return recordError(i, r, "has a gap from position %d to %d, but is alive from %d to %d", g.First, g.Last, r.First, r.Last)
		case k > 0 && g.First <= r.Gaps[k-1].Last:
			return recordError(i, r, "has a gap from position %d that is not after the gap before it, which lasts to %d", g.First, r.Gaps[k-1].Last)
		case g.Lo < 0 || g.Lo > g.Hi || g.Hi > r.Size:
			return recordError(i, r, "holds bytes %s to %s in a gap, but its own bytes are 0 to %s", units.Number(g.Lo), units.Number(g.Hi), units.Number(r.Size))
		}
	}
	return nil
}
