package route

import (
	"cmp"
	"math"
)

// A stop is a boundary, and where in the arena the tensor is that is alive across it.
type stop struct {
	at    int
	place int64
}

// A step is a stop that is reached, or a part from there that is to be tried.
type step struct {
	stop
	// known is the price up to the stop, and hoped that of all at least.
	known, hoped float64
	// part is the one that leads to the stop, or that is to be tried from there.
	part int
	// toTry says that the part is to be tried, with place number first of the places for
	// what it hands on and those behind.
	toTry bool
	first int
	// from is the step of the stop before.
	from *step
	// serial counts the steps, so that their order is always the same.
	serial int
}

// steps is a heap of steps: the cheapest first, of these those that are furthest.
type steps []*step

func (h steps) Len() int      { return len(h) }
func (h steps) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h steps) Less(i, j int) bool {
	a, b := h[i], h[j]
	if d := a.hoped - b.hoped; math.Abs(d) > 1e-12 {
		return d < 0
	}
	return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.serial, a.serial)) < 0
}
func (h *steps) Push(x any) { *h = append(*h, x.(*step)) }
func (h *steps) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
