package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
)

// A Placed is a record and its offset.
type Placed struct {
	Record
	At int64
}

// Clear returns the lowest and the highest offset, in bytes, at which r ends within limit bytes
// and shares no byte with others at any position (see [Meet]). Both offsets are multiples of
// the alignment of r. ok is false if there is no such offset.
func (r Record) Clear(others []Placed, limit int64) (low, high int64, ok bool) {
	var blocked []Gap // of r's offsets, Lo and Hi inclusive
	for _, s := range others {
		if !r.Overlaps(s.Record) || r.Size == 0 || s.Size == 0 {
			continue
		}
		for p, q := range PiecesTogether(r, s.Record) {
			blocked = append(blocked, Gap{Lo: s.At + q.Lo - p.Hi + 1, Hi: s.At + q.Hi - p.Lo - 1})
		}
	}
	align := r.Alignment()
	slices.SortStableFunc(blocked, func(a, b Gap) int { return cmp.Compare(a.Lo, b.Lo) })
	for _, b := range blocked {
		if b.Lo <= low && low <= b.Hi {
			low = integer.RoundUp(b.Hi+1, align)
		}
	}
	if low+r.Size > limit {
		return 0, 0, false
	}
	high = (limit - r.Size) / align * align
	slices.SortStableFunc(blocked, func(a, b Gap) int { return cmp.Compare(b.Hi, a.Hi) })
	for _, b := range blocked {
		if b.Lo <= high && high <= b.Hi {
			high = (b.Lo - 1) / align * align
		}
	}
	return low, high, true
}
