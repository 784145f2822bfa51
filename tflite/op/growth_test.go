package op_test

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/oneop"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestShapesGrow draws operators of all kinds: with a larger dimension of an input, no dimension of an
// output is smaller, except for operators that turn. The largest sizes rest on this law.
func TestShapesGrow(t *testing.T) {
	grew, turned := map[string]int{}, 0
	for i := range uint64(6000) {
		m, err := tflite.Parse(oneop.Draw(5, i).Model, "growth")
		if err != nil {
			t.Fatal(err)
		}
		s := &m.Subgraphs[0]
		o := &s.Operators[0]
		before, err := op.Shapes(m, s, o)
		if err != nil {
			continue
		}
		r := rand.New(rand.NewPCG(i, 7))
		for range 4 {
			position := r.IntN(len(o.Inputs))
			k := o.Inputs[position]
			if k < 0 || slices.Contains(op.Parameters(m, o), position) || len(s.Tensors[k].Shape) == 0 {
				continue
			}
			larger := *s
			larger.Tensors = slices.Clone(s.Tensors)
			shape := slices.Clone(s.Tensors[k].Shape)
			d := r.IntN(len(shape))
			shape[d] += int32(1 + r.IntN(3))
			larger.Tensors[k].Shape = shape
			after, err := op.Shapes(m, &larger, o)
			switch {
			case err != nil: // the shapes do not go together
			case op.Turns(m, s, &larger, o):
				turned++
			default:
				grew[o.Name]++
				for out := range before {
					if len(before[out]) != len(after[out]) {
						t.Errorf("%s (%d): output %d has the shape %v, and %v with input %d %v", o.Name, i, out, before[out], after[out], position, shape)
						continue
					}
					for axis := range before[out] {
						if after[out][axis] < before[out][axis] {
							t.Errorf("%s (%d): output %d has the shape %v, and %v with input %d %v", o.Name, i, out, before[out], after[out], position, shape)
						}
					}
				}
			}
		}
	}
	if t.Logf("%d kinds, %d turning operators", len(grew), turned); len(grew) < 80 || turned == 0 {
		t.Error("too few to trust")
	}
}
