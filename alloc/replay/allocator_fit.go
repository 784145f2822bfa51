package replay

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
)

// fitted returns a place for a block without a planned one: the smallest free range of the planned memory
// that is large enough, or its end, which grows. Later blocks whose planned places are thereby taken
// are fitted as well, so that a run that leaves the plan goes on in the same memory. Without a plan,
// the pool serves the block.
func (a *Allocator) fitted(size int64, request int) (Place, error) {
	if len(a.planned) == 0 {
		return a.pooled(size, request)
	}
	if a.run.taken == nil {
		a.run.taken = newOccupied(a.granule)
		for place, b := range a.blocks {
			if !place.Pooled {
				a.run.taken.add(place.Offset, b.size)
			}
		}
	}
	const most = int64(1) << 50
	offset, end := a.run.taken.bestFit(size, a.stats.Arena)
	if size > most || end > most {
		return a.pooled(size, request)
	}
	a.stats.Fitted++
	a.stats.Arena = max(a.stats.Arena, end)
	a.stats.Reserved = max(a.stats.Reserved, a.stats.Arena+a.pool.Reserved())
	place := Place{Offset: offset}
	a.use(place, blockInUse{size: size, request: request, slot: -1})
	a.run.overdue[place] = size // it is in no plan
	a.run.taken.add(offset, size)
	return place, nil
}

// occupied has the blocks of the planned memory by offset. Methods add and remove accept nil.
type occupied struct {
	list    sets.SortedList[freeRange]
	granule int64
}

func newOccupied(granule int64) *occupied {
	o := &occupied{granule: granule}
	o.list.Compare = func(a, b freeRange) int { return cmp.Compare(a.at, b.at) }
	return o
}

func (o *occupied) add(at, size int64) {
	if o != nil {
		o.list.Insert(freeRange{at, integer.RoundUp(max(size, 1), o.granule)})
	}
}

func (o *occupied) remove(at int64) {
	if o != nil {
		o.list.Remove(o.list.Seek(freeRange{at: at}))
	}
}

// isFree reports whether no block has any of the bytes [at, at+size).
func (o *occupied) isFree(at, size int64) bool {
	next := o.list.Seek(freeRange{at: at})
	if o.list.Valid(next) && o.list.At(next).at < at+size {
		return false
	}
	before := o.list.Prev(next)
	return !o.list.Valid(before) || o.list.At(before).at+o.list.At(before).size <= at
}

// bestFit returns the bytes [at, limit) of the smallest free range below end that is large enough, or
// those after the last block.
func (o *occupied) bestFit(size, end int64) (at, limit int64) {
	size = integer.RoundUp(max(size, 1), o.granule)
	best, free, found := int64(0), int64(0), false // free is the end of the last block
	consider := func(to int64) {
		if room := to - free; room >= size && (!found || room < best) {
			at, best, found = free, room, true
		}
	}
	for slot := o.list.First(); o.list.Valid(slot); slot = o.list.Next(slot) {
		b := o.list.At(slot)
		consider(b.at)
		free = max(free, b.at+b.size)
	}
	if consider(end); !found {
		at = free
	}
	return at, at + size
}
