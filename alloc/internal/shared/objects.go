package shared

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// An object is a shared object with its current size, which may grow.
type object struct {
	size int64
	id   int
}

func compareObjects(a, b object) int {
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id))
}

// Objects are the objects of a shared plan.
type Objects struct {
	Of    []int   // by record
	Sizes []int64 // by object
}

func newObjects(records problem.Records) *Objects {
	return &Objects{Of: make([]int, len(records))}
}

// open makes a new object of the given size.
func (o *Objects) open(size int64) int {
	o.Sizes = append(o.Sizes, size)
	return len(o.Sizes) - 1
}

// assign puts record i of size bytes into an object, which grows to hold it.
func (o *Objects) assign(i int, size int64, id int) {
	o.Of[i] = id
	o.Sizes[id] = max(o.Sizes[id], size)
}

// A release is an object in use and the last position, inclusive, of its use.
type release struct{ last, id int }

// releases returns an empty queue of objects in use by end of use, equal ones by number (the GPU
// delegate's common queue).
func releases() sets.Heap[release] {
	return sets.Heap[release]{Less: func(a, b release) bool {
		return a.last < b.last || a.last == b.last && a.id < b.id
	}}
}
