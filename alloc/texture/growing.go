package texture

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// orders are the placement orders of growing: by elements, by the largest dimension, by each dimension,
// and by first position.
func orders(records []Record) [][]int {
	list := [][]int{byFirst(records)}
	by := func(key func(Record) int64) {
		order := byFirst(records)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(records[b]), key(records[a])) })
		list = append(list, order)
	}
	by(func(r Record) int64 { return r.Shape.Elements() })
	by(func(r Record) int64 { return slices.Max(r.Shape) })
	if len(records) > 0 {
		for d := range records[0].Shape {
			by(func(r Record) int64 { return r.Shape[d] })
		}
	}
	return list
}

// growing places records in several orders, each in the object that has to grow least for it, or in a
// new one if that is cheaper, and returns the best plan.
func growing(records []Record) *Plan {
	var best *Plan
	for _, order := range orders(records) {
		if plan := grow(records, order); best == nil || plan.elements() < best.elements() {
			best = plan
		}
	}
	return best
}

func grow(records []Record, order []int) *Plan {
	p := &Plan{Objects: make([]int, len(records))}
	var held [][]int
	for _, i := range order {
		r := records[i]
		best, least := len(p.Shapes), r.Shape.Elements()
		for o, shape := range p.Shapes {
			if more := shape.grown(r.Shape).Elements() - shape.Elements(); more < least && disjoint(records, held[o], r) {
				best, least = o, more
			}
		}
		if best == len(p.Shapes) {
			p.Shapes, held = append(p.Shapes, slices.Clone(r.Shape)), append(held, nil)
		}
		p.Shapes[best] = p.Shapes[best].grown(r.Shape)
		p.Objects[i], held[best] = best, append(held[best], i)
	}
	return p
}

// disjoint reports whether a record is never alive together with the records held by an object.
func disjoint(records []Record, held []int, r Record) bool {
	for _, k := range held {
		if records[k].First <= r.Last && r.First <= records[k].Last {
			return false
		}
	}
	return true
}
