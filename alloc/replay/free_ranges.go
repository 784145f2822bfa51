package replay

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// A freeRange is the free bytes [at, at+size) between blocks.
type freeRange struct{ at, size int64 }

// freeRanges has the free bytes of a memory that ends at its highest block.
type freeRanges struct {
	byPlace, bySize sets.SortedList[freeRange]
	end             int64
	bestFit         bool // best fit instead of first fit
}

func newFreeRanges(best bool) *freeRanges {
	h := &freeRanges{bestFit: best}
	h.byPlace.Compare = func(a, b freeRange) int { return cmp.Compare(a.at, b.at) }
	h.bySize.Compare = func(a, b freeRange) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.at, b.at)) }
	return h
}

func (h *freeRanges) insert(x freeRange) {
	if x.size > 0 {
		h.byPlace.Insert(x)
		h.bySize.Insert(x)
	}
}

func (h *freeRanges) remove(x freeRange) {
	h.byPlace.Remove(h.byPlace.Seek(x))
	h.bySize.Remove(h.bySize.Seek(x))
}

// allocate places a block and returns its offset.
func (h *freeRanges) allocate(size int64) int64 {
	if size == 0 {
		return 0
	}
	if x, ok := h.find(size); ok {
		h.remove(x)
		h.insert(freeRange{x.at + size, x.size - size})
		return x.at
	}
	at := h.end
	h.end = at + size
	return at
}

// find returns the free range for a block.
func (h *freeRanges) find(size int64) (freeRange, bool) {
	if h.bestFit {
		at := h.bySize.Seek(freeRange{size: size, at: -1})
		if !h.bySize.Valid(at) {
			return freeRange{}, false
		}
		return h.bySize.At(at), true
	}
	const most = 64 // ranges to try before best fit is used instead
	at := h.byPlace.First()
	for range most {
		if !h.byPlace.Valid(at) {
			return freeRange{}, false
		}
		if x := h.byPlace.At(at); x.size >= size {
			return x, true
		}
		at = h.byPlace.Next(at)
	}
	h.bestFit = true
	defer func() { h.bestFit = false }()
	return h.find(size)
}

// release frees the bytes of a block.
func (h *freeRanges) release(at, size int64) {
	if size == 0 {
		return
	}
	x := freeRange{at, size}
	behind := h.byPlace.Seek(x)
	before := h.byPlace.Prev(behind)
	var left, right freeRange
	if h.byPlace.Valid(before) {
		left = h.byPlace.At(before)
	}
	if h.byPlace.Valid(behind) {
		right = h.byPlace.At(behind)
	}
	if right.size > 0 && at+size == right.at {
		h.remove(right)
		x.size += right.size
	}
	if left.size > 0 && left.at+left.size == at {
		h.remove(left)
		x.at, x.size = left.at, x.size+left.size
	}
	if x.at+x.size == h.end {
		h.end = x.at
		return
	}
	h.insert(x)
}
