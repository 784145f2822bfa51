package shared

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// Naive gives every record a separate object.
func Naive(_ context.Context, records problem.Records) (*Objects, error) {
	o := newObjects(records)
	for i, r := range records {
		o.Of[i] = o.open(r.Size)
	}
	return o, nil
}

// Equality takes the most recently freed object of exactly the tensor's size
// (the GPU delegate's EQUALITY).
func Equality(_ context.Context, records problem.Records) (*Objects, error) {
	o := newObjects(records)
	busy := releases()
	free := map[int64][]int{} // by size, the most recently freed last
	for _, i := range problem.InOrder(records) {
		r := records[i]
		for busy.Len() > 0 && busy.Top().last < r.First {
			id := busy.Pop().id
			free[o.Sizes[id]] = append(free[o.Sizes[id]], id)
		}
		if same := free[r.Size]; len(same) > 0 {
			o.Of[i] = same[len(same)-1]
			free[r.Size] = same[:len(same)-1]
		} else {
			o.Of[i] = o.open(r.Size)
		}
		busy.Push(release{r.Last, o.Of[i]})
	}
	return o, nil
}

// InOrder takes the free object whose size is closest; it may have to grow
// (the GPU delegate's GREEDY_IN_ORDER).
func InOrder(_ context.Context, records problem.Records) (*Objects, error) {
	o := newObjects(records)
	busy := releases()
	free := sets.SortedList[object]{Compare: compareObjects}
	for _, i := range problem.InOrder(records) {
		r := records[i]
		for busy.Len() > 0 && busy.Top().last < r.First {
			id := busy.Pop().id
			free.Insert(object{o.Sizes[id], id})
		}
		if at := closest(&free, r.Size); free.Valid(at) {
			o.assign(i, r.Size, free.At(at).id)
			free.Remove(at)
		} else {
			o.Of[i] = o.open(r.Size)
		}
		busy.Push(release{r.Last, o.Of[i]})
	}
	return o, nil
}

// closest returns the slot of the free object to use for size bytes: the smallest that is large enough,
// lowest number first, unless the largest of the smaller ones, highest number first, is strictly
// closer. It is invalid if none is free.
func closest(free *sets.SortedList[object], size int64) sets.Slot {
	above := free.Seek(object{size, 0})
	below := free.Prev(above)
	switch {
	case !free.Valid(above):
		return below
	case !free.Valid(below):
		return above
	case size-free.At(below).size < free.At(above).size-size:
		return below
	}
	return above
}
