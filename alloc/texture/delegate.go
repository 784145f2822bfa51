package texture

import (
	"context"

	"golang.org/x/exp/slices"
)

// pool tracks over time the busy objects, and the free ones in order of release.
type pool struct {
	plan *Plan
	busy []busyObject
	free []int
}

type busyObject struct{ last, object int }

func newPool(records []Record) *pool {
	return &pool{plan: &Plan{Objects: make([]int, len(records))}}
}

// releaseBefore frees the objects that are busy before a position: by last position, then by number.
func (p *pool) releaseBefore(first int) {
	for {
		best := -1
		for k, b := range p.busy {
			if b.last < first && (best < 0 || b.last < p.busy[best].last || b.last == p.busy[best].last && b.object < p.busy[best].object) {
				best = k
			}
		}
		if best < 0 {
			return
		}
		p.free = append(p.free, p.busy[best].object)
		p.busy = slices.Delete(p.busy, best, best+1)
	}
}

// assign gives a record the free object at an index, or a new one for -1.
func (p *pool) assign(i int, r Record, at int) {
	object := len(p.plan.Shapes)
	if at >= 0 {
		object = p.free[at]
		p.free = slices.Delete(p.free, at, at+1)
	} else {
		p.plan.Shapes = append(p.plan.Shapes, slices.Clone(r.Shape))
	}
	p.plan.Objects[i] = object
	p.busy = append(p.busy, busyObject{r.Last, object})
}

func naive(records []Record) *Plan {
	p := newPool(records)
	for i, r := range records {
		p.assign(i, r, -1)
	}
	return p.plan
}

// equality takes a free object of exactly the same shape, as the delegate does: for tensors of four
// dimensions the one that became free last, for textures the one of the lowest number.
func equality(records []Record) *Plan {
	p := newPool(records)
	for _, i := range byFirst(records) {
		r := records[i]
		p.releaseBefore(r.First)
		best := -1
		for k, object := range p.free {
			if !slices.Equal(p.plan.Shapes[object], r.Shape) {
				continue
			}
			if best < 0 || len(r.Shape) == 4 || object < p.free[best] {
				best = k
			}
		}
		p.assign(i, r, best)
	}
	return p.plan
}

// inOrder takes the free object that covers the record with the least difference of elements; of equal
// ones, the one that became free first.
func inOrder(records []Record) *Plan {
	p := newPool(records)
	for _, i := range byFirst(records) {
		r := records[i]
		p.releaseBefore(r.First)
		best, least := -1, int64(0)
		for k, object := range p.free {
			shape := p.plan.Shapes[object]
			if !shape.Covers(r.Shape) {
				continue
			}
			if more := shape.Elements() - r.Shape.Elements(); best < 0 || more < least {
				best, least = k, more
			}
		}
		p.assign(i, r, best)
	}
	return p.plan
}

// auto returns the best plan of all strategies.
func auto(ctx context.Context, records []Record) *Plan {
	best := exact(ctx, records)
	best.Winner = Exact
	for _, other := range []struct {
		name string
		plan *Plan
	}{{Growing, growing(records)}, {GreedyInOrder, inOrder(records)}, {Equality, equality(records)}} {
		if other.plan.elements() <= best.elements() {
			best.Winner, best.Objects, best.Shapes = other.name, other.plan.Objects, other.plan.Shapes
		}
	}
	return best
}

func (p *Plan) elements() (sum int64) {
	for _, s := range p.Shapes {
		sum += s.Elements()
	}
	return sum
}
