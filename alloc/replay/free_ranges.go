package replay

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// A hole is the free bytes [at, at+size) between blocks.
type hole struct{ at, size int64 }

// holes has the free bytes of a memory that ends at its highest block.
type holes struct {
	byPlace, bySize sets.SortedList[hole]
	end             int64
	best            bool // best fit instead of first fit
}

func newHoles(best bool) *holes {
	h := &holes{best: best}
	h.byPlace.Compare = func(a, b hole) int { return cmp.Compare(a.at, b.at) }
	h.bySize.Compare = func(a, b hole) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.at, b.at)) }
	return h
}

func (h *holes) insert(x hole) {
	if x.size > 0 {
		h.byPlace.Insert(x)
		h.bySize.Insert(x)
	}
}

func (h *holes) remove(x hole) {
	h.byPlace.Remove(h.byPlace.Seek(x))
	h.bySize.Remove(h.bySize.Seek(x))
}

// take places a block and returns its offset.
func (h *holes) take(size int64) int64 {
	if size == 0 {
		return 0
	}
	if x, ok := h.find(size); ok {
		h.remove(x)
		h.insert(hole{x.at + size, x.size - size})
		return x.at
	}
	at := h.end
	h.end = at + size
	return at
}

// find returns the hole for a block.
func (h *holes) find(size int64) (hole, bool) {
	if h.best {
		at := h.bySize.Seek(hole{size: size, at: -1})
		if !h.bySize.Valid(at) {
			return hole{}, false
		}
		return h.bySize.At(at), true
	}
	const most = 64 // holes to try before best fit is used instead
	at := h.byPlace.First()
	for range most {
		if !h.byPlace.Valid(at) {
			return hole{}, false
		}
		if x := h.byPlace.At(at); x.size >= size {
			return x, true
		}
		at = h.byPlace.Next(at)
	}
	h.best = true
	defer func() { h.best = false }()
	return h.find(size)
}

// give frees the bytes of a block.
func (h *holes) give(at, size int64) {
	if size == 0 {
		return
	}
	x := hole{at, size}
	behind := h.byPlace.Seek(x)
	before := h.byPlace.Prev(behind)
	var left, right hole
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
