package sets

import (
	"cmp"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"
)

// TestSortedList compares with a sorted slice, over enough items for many blocks.
func TestSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := SortedList[int]{Compare: func(a, b int) int { return cmp.Compare(a, b) }}
		var want []int
		number := rapid.IntRange(0, 4000)
		for range rapid.IntRange(1, 4).Draw(t, "phases") {
			adding := rapid.Bool().Draw(t, "adding")
			from, count := number.Draw(t, "from"), rapid.IntRange(0, 600).Draw(t, "count")
			stride := rapid.SampledFrom([]int{1, -1, 7, 1009}).Draw(t, "stride")
			for k := range count {
				item := ((from+k*stride)%4001 + 4001) % 4001
				at, found := slices.BinarySearch(want, item)
				switch {
				case adding && !found:
					list.Insert(item)
					want = slices.Insert(want, at, item)
				case !adding && found:
					list.Remove(list.Seek(item))
					want = slices.Delete(want, at, at+1)
				}
			}
		}
		var got, back []int
		for at := list.First(); list.Valid(at); at = list.Next(at) {
			got = append(got, list.At(at))
		}
		for at := list.Prev(list.End()); list.Valid(at); at = list.Prev(at) {
			back = append(back, list.At(at))
		}
		slices.Reverse(back)
		if !slices.Equal(got, want) || !slices.Equal(back, want) {
			t.Fatalf("forwards %v\nbackwards %v\nwant %v", got, back, want)
		}
		for range 20 {
			item := number.Draw(t, "sought")
			k, _ := slices.BinarySearch(want, item)
			at := list.Seek(item)
			if list.Valid(at) != (k < len(want)) || k < len(want) && list.At(at) != want[k] {
				t.Fatalf("seek %d: got %v, want item %d of %v", item, at, k, want)
			}
		}
	})
}

// TestOccupancy compares with a bitmap of time and bytes.
func TestOccupancy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bytes = 40
		times := rapid.IntRange(1, 33).Draw(t, "times")
		o := NewOccupancy(times)
		used := make([][bytes]bool, times)
		window := func() (int, int) {
			first := rapid.IntRange(0, times-1).Draw(t, "first")
			return first, rapid.IntRange(first, times-1).Draw(t, "last")
		}
		for range rapid.IntRange(0, 30).Draw(t, "spans") {
			first, last := window()
			lo := rapid.Int64Range(0, bytes-1).Draw(t, "lo")
			hi := rapid.Int64Range(lo+1, min(lo+6, bytes)).Draw(t, "hi")
			o.Add(first, last, Span{Lo: lo, Hi: hi})
			for p := first; p <= last; p++ {
				for b := lo; b < hi; b++ {
					used[p][b] = true
				}
			}
			first, last = window()
			var want []Span
			for b := range int64(bytes) {
				taken := false
				for p := first; p <= last; p++ {
					taken = taken || used[p][b]
				}
				if k := len(want) - 1; taken && k >= 0 && want[k].Hi == b {
					want[k].Hi++
				} else if taken {
					want = append(want, Span{Lo: b, Hi: b + 1})
				}
			}
			if got := o.Taken(first, last); !slices.Equal(got, want) {
				t.Fatalf("taken from %d to %d: got %v, want %v", first, last, got, want)
			}
		}
	})
}

func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "items")
		h := Heap[int]{Less: func(a, b int) bool { return a < b }}
		for _, item := range items {
			h.Push(item)
		}
		slices.Sort(items)
		for _, item := range items {
			if top := h.Top(); top != item || h.Pop() != item {
				t.Fatalf("got %d, want %d", top, item)
			}
		}
	})
}
