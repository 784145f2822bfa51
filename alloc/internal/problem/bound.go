package problem

import (
	"math/bits"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// LowerBound returns the bound of plans with offsets. It takes no empty records: their
// alignments would count.
func LowerBound(records Records) Bound {
	best := Bound{Bytes: lifetime.MaxBreadth(records), Kind: Breadth}
	for _, align := range alignmentClasses(records) {
		if b := alignedBreadth(records, align); b > best.Bytes {
			best = Bound{Bytes: b, Kind: PaddedBreadth}
		}
	}
	if size := largestSize(records); size > best.Bytes {
		best = Bound{Bytes: size, Kind: LargestSize}
	}
	if end := PinnedEnd(records); end > best.Bytes {
		best = Bound{Bytes: end, Kind: LastPin}
	}
	return best
}

// NonEmpty returns the records of nonzero size.
func NonEmpty(records Records) Records {
	var live Records
	for _, r := range records {
		if r.Size > 0 {
			live = append(live, r)
		}
	}
	return live
}

// largestSize returns the size of the largest record in bytes. Without gaps the breadth is never below
// it.
func largestSize(records Records) int64 {
	var size int64
	for _, r := range records {
		size = max(size, r.Size)
	}
	return size
}

// PinnedEnd returns the largest end of a non-empty pinned record, in bytes.
func PinnedEnd(records Records) int64 {
	var end int64
	for _, r := range records {
		if r.Pinned && r.Size > 0 {
			end = max(end, r.Offset+r.Size)
		}
	}
	return end
}

// alignmentClasses returns the alignments above one that merit a separate bound: the common divisor of
// all alignments, and the powers of two among their divisors. There are at most 62, however many odd
// alignments there are.
func alignmentClasses(records Records) []int64 {
	common := CommonAlignment(records)
	classes := []int64{common}
	for _, r := range records {
		power := int64(1) << bits.TrailingZeros64(uint64(r.Alignment()))
		if !slices.Contains(classes, power) {
			classes = append(classes, power)
		}
	}
	return slices.DeleteFunc(classes, func(a int64) bool { return a <= 1 })
}

// CommonAlignment returns the greatest common divisor of the alignments.
func CommonAlignment(records Records) int64 {
	var common int64
	for _, r := range records {
		a := r.Alignment()
		for a != 0 {
			common, a = a, common%a
		}
	}
	return max(common, 1)
}

// alignedBreadth bounds the total by the records whose alignment is a multiple of align: of those alive
// at one position, each but the topmost is followed by padding to the next start. Any record may be
// topmost, so the largest padding is subtracted.
func alignedBreadth(records Records, align int64) int64 {
	members := alignedPieces(records, align)
	sort.Slice(members, func(i, j int) bool { return members[i].First < members[j].First })
	dying := sets.Heap[lifetime.Record]{Less: func(r, s lifetime.Record) bool { return r.Last < s.Last }}
	padding := sets.Heap[lifetime.Record]{Less: func(r, s lifetime.Record) bool { return pad(r, align) > pad(s, align) }}
	var most, breadth int64
	for i, r := range members {
		for dying.Len() > 0 && dying.Top().Last < r.First {
			breadth -= integer.RoundUp(dying.Pop().Size, align)
		}
		breadth += integer.RoundUp(r.Size, align)
		dying.Push(r)
		padding.Push(r)
		if i+1 < len(members) && members[i+1].First == r.First {
			continue
		}
		for padding.Top().Last < r.First {
			padding.Pop()
		}
		most = max(most, breadth-pad(padding.Top(), align))
	}
	return most
}

// alignedPieces returns the records whose alignment is a multiple of align, with each piece as a
// separate record. A piece without its first bytes begins where it may be misaligned: it counts from
// its first aligned byte.
func alignedPieces(records Records, align int64) Records {
	var pieces Records
	for _, r := range records {
		if r.Alignment()%align != 0 {
			continue
		}
		for p := range r.Pieces {
			if size := p.Hi - integer.RoundUp(p.Lo, align); size > 0 {
				pieces = append(pieces, lifetime.Record{First: p.First, Last: p.Last, Size: size})
			}
		}
	}
	return pieces
}

func pad(r lifetime.Record, align int64) int64 { return integer.RoundUp(r.Size, align) - r.Size }
