package route

import (
	"cmp"
	"math"
)

// stop is a boundary with the offset in the arena of the tensor live across it.
type stop struct {
	at    int
	place int64
}

// step is a stop that is reached, or a part from there to try.
type step struct {
	stop
	// known is the price up to the stop, hoped a lower bound of the total price.
	known, hoped float64
	// part leads to the stop, or is to be tried from there.
	part int
	// toTry marks a part to try; first is the index of the first offset to try for its
	// handed-on tensor.
	toTry bool
	first int
	// from is the step of the previous stop.
	from *step
	// serial numbers the steps, for a deterministic order.
	serial int
}

// steps is a heap of steps: cheapest first, ties broken in favour of the furthest.
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
