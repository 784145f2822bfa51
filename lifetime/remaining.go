package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A Read is an operator's read of some bytes of a tensor.
type Read struct {
	// Position is the position of the operator.
	Position int
	// Lo and Hi are the bytes read, [Lo, Hi), relative to the tensor's own first byte.
	Lo, Hi int64
}

// Remaining returns r with gaps for the bytes without further reads: after each read, the
// record holds only the bytes that later reads need. So a tensor that is read slice by slice
// frees memory before it dies. A record whose last read is not at the end of its life, because
// something else keeps it alive, is returned unchanged, and so is a record that already has
// gaps.
func (r Record) Remaining(reads []Read) Record {
	if len(r.Gaps) > 0 || len(reads) == 0 {
		return r
	}
	reads = slices.Clone(reads)
	slices.SortStableFunc(reads, func(a, b Read) int { return cmp.Compare(b.Position, a.Position) })
	if reads[0].Position != r.Last || reads[len(reads)-1].Position <= r.First {
		return r
	}
	// From the end on: the bytes needed up to each position are the hull of the reads then and
	// later.
	lo, hi := r.Size, int64(0)
	for k, read := range reads {
		if read.Lo < 0 || read.Lo > read.Hi || read.Hi > r.Size {
			return r
		}
		lo, hi = min(lo, read.Lo), max(hi, read.Hi)
		earlier := r.First
		if k+1 < len(reads) {
			earlier = reads[k+1].Position
		}
		if earlier < read.Position && (lo > 0 || hi < r.Size) {
			r.Gaps = append(r.Gaps, Gap{First: earlier + 1, Last: read.Position, Lo: lo, Hi: hi})
		}
	}
	slices.Reverse(r.Gaps)
	return r
}
