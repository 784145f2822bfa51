package alloc

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// An object is a shared object with its size at the moment, which may grow.
type object struct {
	size int64
	id   int
}

func compareObjects(a, b object) int {
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id))
}

// objects collects what a shared plan is made of.
type objects struct {
	of    []int   // by record
	sizes []int64 // by object
}

func newObjects(records Records) *objects {
	return &objects{of: make([]int, len(records))}
}

// open makes a new object of the given size.
func (o *objects) open(size int64) int {
	o.sizes = append(o.sizes, size)
	return len(o.sizes) - 1
}

// assign puts record i of size bytes into an object, which grows to hold it.
func (o *objects) assign(i int, size int64, id int) {
	o.of[i] = id
	o.sizes[id] = max(o.sizes[id], size)
}

func (o *objects) plan() *Plan {
	return &Plan{Objects: o.of, ObjectSizes: o.sizes}
}

// A release is an object in use and the last position, inclusive, of its use.
type release struct{ last, id int }

// releases returns an empty queue of objects in use, in the order in which they
// become free, equal ones by number (the GPU delegate's common queue).
func releases() sets.Heap[release] {
	return sets.Heap[release]{Less: func(a, b release) bool {
		return a.last < b.last || a.last == b.last && a.id < b.id
	}}
}
