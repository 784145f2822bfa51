package alloc

import "context"

func naiveShared(_ context.Context, p *problem) (*Plan, error) {
	o := newObjects(p.records)
	for i, r := range p.records {
		o.of[i] = o.open(r.Size)
	}
	return o.plan(), nil
}

// equalityShared takes the most recently freed object of exactly the tensor's size
// (the GPU delegate's EQUALITY).
func equalityShared(_ context.Context, p *problem) (*Plan, error) {
	o := newObjects(p.records)
	busy := releases()
	free := map[int64][]int{} // by size, the most recently freed last
	for _, i := range inOrder(p.records) {
		r := p.records[i]
		for busy.len() > 0 && busy.top().last < r.First {
			id := busy.pop().id
			free[o.sizes[id]] = append(free[o.sizes[id]], id)
		}
		if same := free[r.Size]; len(same) > 0 {
			o.of[i] = same[len(same)-1]
			free[r.Size] = same[:len(same)-1]
		} else {
			o.of[i] = o.open(r.Size)
		}
		busy.push(release{r.Last, o.of[i]})
	}
	return o.plan(), nil
}

// inOrderShared takes the free object whose size is closest; it may have to grow
// (the GPU delegate's GREEDY_IN_ORDER).
func inOrderShared(_ context.Context, p *problem) (*Plan, error) {
	o := newObjects(p.records)
	busy := releases()
	free := sortedList[object]{compare: compareObjects}
	for _, i := range inOrder(p.records) {
		r := p.records[i]
		for busy.len() > 0 && busy.top().last < r.First {
			id := busy.pop().id
			free.insert(object{o.sizes[id], id})
		}
		if at := closest(&free, r.Size); free.valid(at) {
			o.assign(i, r.Size, free.at(at).id)
			free.remove(at)
		} else {
			o.of[i] = o.open(r.Size)
		}
		busy.push(release{r.Last, o.of[i]})
	}
	return o.plan(), nil
}

// closest returns the slot of the free object to use for size bytes: the smallest
// that is large enough, lowest number first, unless the largest of the smaller
// ones, highest number first, is strictly closer. It is not valid when none is free.
func closest(free *sortedList[object], size int64) slot {
	above := free.seek(object{size, 0})
	below := free.prev(above)
	switch {
	case !free.valid(above):
		return below
	case !free.valid(below):
		return above
	case size-free.at(below).size < free.at(above).size-size:
		return below
	}
	return above
}
