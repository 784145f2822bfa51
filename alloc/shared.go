package alloc

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

func naiveShared(_ context.Context, p *task) (*Plan, error) {
	o := newObjects(p.records)
	for i, r := range p.records {
		o.of[i] = o.open(r.Size)
	}
	return o.plan(), nil
}

// equalityShared takes the most recently freed object of exactly the tensor's size
// (the GPU delegate's EQUALITY).
func equalityShared(_ context.Context, p *task) (*Plan, error) {
	o := newObjects(p.records)
	busy := releases()
	free := map[int64][]int{} // by size, the most recently freed last
	for _, i := range problem.InOrder(p.records) {
		r := p.records[i]
		for busy.Len() > 0 && busy.Top().last < r.First {
			id := busy.Pop().id
			free[o.sizes[id]] = append(free[o.sizes[id]], id)
		}
		if same := free[r.Size]; len(same) > 0 {
			o.of[i] = same[len(same)-1]
			free[r.Size] = same[:len(same)-1]
		} else {
			o.of[i] = o.open(r.Size)
		}
		busy.Push(release{r.Last, o.of[i]})
	}
	return o.plan(), nil
}

// inOrderShared takes the free object whose size is closest; it may have to grow
// (the GPU delegate's GREEDY_IN_ORDER).
func inOrderShared(_ context.Context, p *task) (*Plan, error) {
	o := newObjects(p.records)
	busy := releases()
	free := sets.SortedList[object]{Compare: compareObjects}
	for _, i := range problem.InOrder(p.records) {
		r := p.records[i]
		for busy.Len() > 0 && busy.Top().last < r.First {
			id := busy.Pop().id
			free.Insert(object{o.sizes[id], id})
		}
		if at := closest(&free, r.Size); free.Valid(at) {
			o.assign(i, r.Size, free.At(at).id)
			free.Remove(at)
		} else {
			o.of[i] = o.open(r.Size)
		}
		busy.Push(release{r.Last, o.of[i]})
	}
	return o.plan(), nil
}

// closest returns the slot of the free object to use for size bytes: the smallest
// that is large enough, lowest number first, unless the largest of the smaller
// ones, highest number first, is strictly closer. It is not valid when none is free.
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
