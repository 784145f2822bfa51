package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A Read is an operator that reads some bytes of a tensor.
type Read struct {
	// Position is that of the operator.
	Position int
	// Lo and Hi are the bytes read, [Lo, Hi), counted from the tensor's own first.
	Lo, Hi int64
}

// Remaining returns r with a gap from each position on at which it holds less than before:
// once made, it holds what the reads from there on still need. Where a tensor is read
// slice by slice, what the later slices do not need is free before it dies. A record whose
// last read is not at its end, which something else keeps, comes back as it is, and so
// does one that has gaps.
func (r Record) Remaining(reads []Read) Record {
	if len(r.Gaps) > 0 || len(reads) == 0 {
		return r
	}
	reads = slices.Clone(reads)
	slices.SortFunc(reads, func(a, b Read) int { return cmp.Compare(b.Position, a.Position) })
	if reads[0].Position != r.Last || reads[len(reads)-1].Position <= r.First {
		return r
	}
	// From the end on: what is needed up to each position is the hull of what is read then
	// and later.
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
			r.Gaps = append(r.Gaps, Gap{earlier + 1, read.Position, lo, hi})
		}
	}
	slices.Reverse(r.Gaps)
	return r
}
