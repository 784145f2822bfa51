package results

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/lifetime"
)

// NewTexturePlan returns a plan of textures as a result. element is the size of an element in bytes.
// Runtime and places are a model's, or zero.
func NewTexturePlan(input, runtime string, places Places, records []lifetime.Record, p *texture.Plan, element int64, approach alloc.Approach) *Plan {
	flat := &alloc.Plan{
		Approach: alloc.Shared, Strategy: p.Strategy, Winner: p.Winner, Objects: p.Objects, ObjectSizes: []int64{},
		Total: p.Total * element, LowerBound: p.LowerBound * element, Optimal: p.Optimal, Proof: p.Proof, Nodes: p.Nodes,
	}
	shapes := [][]int64{}
	for _, s := range p.Shapes {
		flat.ObjectSizes = append(flat.ObjectSizes, s.Elements()*element)
		shapes = append(shapes, s)
	}
	r := NewPlan(input, runtime, places, records, flat)
	r.Approach, r.ObjectShapes, r.PositionalMaxima = approach, shapes, nil
	return r
}
