package edit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// pack gives data of the given sizes places in rooms: for each where its length lies, with
// the data behind it aligned, and zero for what found no room. A room takes the largest of
// what fits, again and again, the smallest room first, the order in which Martello and Toth
// fill several knapsacks ("Knapsack Problems", 1990, chapter 6). The places are those in the
// file that the rooms are of, and stay aligned where that moves by a multiple of 64 bytes.
// It also returns the rooms that took something, in the order of the file.
func pack(rooms []room, sizes []int) (places []int64, taken []room) {
	places = make([]int64, len(sizes))
	waiting, widths := bySize(sizes)
	rooms = slices.Clone(rooms)
	slices.SortFunc(rooms, func(a, b room) int {
		return cmp.Or(cmp.Compare(a.to-a.from, b.to-b.from), cmp.Compare(a.from, b.from))
	})
	for _, r := range rooms {
		for end := r.from; ; {
			data := integer.RoundUp(end+lengthBytes, patch.Alignment)
			// The first width that does not fit is behind the largest that does.
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
	slices.SortFunc(taken, byPlace)
	return places, taken
}

// bySize returns the indexes of data of each size, and the sizes that there are, ascending.
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

// settle finds rooms for the data of the added buffers, which have all been collected, and
// keeps those that take something. The others, and their tensors, stay as they are.
func (w *editor) settle() {
	sizes := make([]int, len(w.buffers))
	for i, data := range w.buffers {
		sizes[i] = len(data)
	}
	w.places, w.rooms = pack(w.findRooms(), sizes)
	w.gone = map[int]bool{}
	for _, r := range w.rooms {
		w.gone[r.buffer] = true
	}
}

// furnish writes what lies in the rooms, and zeros beside it.
func (w *editor) furnish(out patch.Output) {
	for _, r := range w.rooms {
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

// housed returns how many added buffers lie in rooms.
func (w *editor) housed() (n int) {
	for _, at := range w.places {
		if at > 0 {
			n++
		}
	}
	return n
}
