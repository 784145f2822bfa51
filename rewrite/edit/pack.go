package edit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

// pack places data of the given sizes into ranges. places holds the position of each length
// field, with the data after it aligned, or zero for data that did not fit. A range repeatedly
// takes the largest size that fits, smallest range first, the order in which Martello and Toth
// fill several knapsacks ("Knapsack Problems", 1990, chapter 6). Positions are those in the
// ranges' file and remain aligned if that file moves by a multiple of 64 bytes. taken lists the
// ranges in use, in file order.
func pack(ranges []freeRange, sizes []int) (places []int64, taken []freeRange) {
	places = make([]int64, len(sizes))
	waiting, widths := bySize(sizes)
	ranges = slices.Clone(ranges)
	slices.SortStableFunc(ranges, func(a, b freeRange) int {
		return cmp.Or(cmp.Compare(a.to-a.from, b.to-b.from), cmp.Compare(a.from, b.from))
	})
	for _, r := range ranges {
		for end := r.from; ; {
			data := integer.RoundUp(end+lengthBytes, schema.DataAlignment)
			// The first width that does not fit comes right after the largest that does.
			k, _ := slices.BinarySearchFunc(widths, r.to-data, func(width int, left int64) int {
				return cmp.Or(cmp.Compare(int64(width), left), -1)
			})
			if k == 0 {
				if end > r.from {
					taken = append(taken, r)
				}
				break
			}
			width := widths[k-1]
			list := waiting[width]
			places[list[0]] = data - lengthBytes
			if waiting[width] = list[1:]; len(list) == 1 {
				widths = slices.Delete(widths, k-1, k)
			}
			end = data + int64(width)
		}
	}
	slices.SortStableFunc(taken, byPosition)
	return places, taken
}

// bySize groups data indexes by size, and returns the distinct sizes, ascending.
func bySize(sizes []int) (waiting map[int][]int, widths []int) {
	waiting = map[int][]int{}
	for i, size := range sizes {
		if waiting[size] == nil {
			widths = append(widths, size)
		}
		waiting[size] = append(waiting[size], i)
	}
	slices.Sort(widths)
	return waiting, widths
}

// placeBuffers places the data of the added buffers, which must be complete, and keeps the ranges in
// use. The other buffers, and their tensors, stay unchanged.
func (w *editor) placeBuffers() {
	sizes := make([]int, len(w.buffers))
	for i, data := range w.buffers {
		sizes[i] = len(data)
	}
	w.places, w.freeRanges = pack(w.findFreeRanges(), sizes)
	w.emptiedBuffers = map[int]bool{}
	for _, r := range w.freeRanges {
		w.emptiedBuffers[r.buffer] = true
	}
}

// fillFreeRanges writes the ranges' contents and zeros the rest of them.
func (w *editor) fillFreeRanges(out patch.Output) {
	for _, r := range w.freeRanges {
		clear(out[w.Shift()+r.from : w.Shift()+r.to])
	}
	for i, at := range w.places {
		if at > 0 {
			at += w.Shift()
			out.U32(at, int64(len(w.buffers[i])))
			copy(out[at+lengthBytes:], w.buffers[i])
		}
	}
}

// placedCount returns the number of added buffers placed in ranges.
func (w *editor) placedCount() (n int) {
	for _, at := range w.places {
		if at > 0 {
			n++
		}
	}
	return n
}
