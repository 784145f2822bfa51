package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// separateLayers computes the parts of a FULLY_CONNECTED that SPLIT separates, such as queries, keys and values, one by one.
var separateLayers = Rule{
	Name: "separate-layers", Purpose: Tiling, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorSPLIT},
	Condition: "along the last dimension, after a FULLY_CONNECTED whose output nothing else reads; constant weights, of whole bytes",
	Result:    "a FULLY_CONNECTED for each output",
	Reason:    "each output value has weights of its own",
	Exact:     unoptimised,
	match: func(s *site) *change {
		axis, ok := s.ints(0)
		t := s.in(1)
		if !ok || len(axis) != 1 || len(s.op.Inputs) != 2 || t == nil || !s.hidden(t) || len(t.Consumers) != 1 || len(s.op.Outputs) < 2 {
			return nil
		}
		if last := int64(len(t.Shape) - 1); axis[0] != last && axis[0] != -1 {
			return nil
		}
		before := s.of(t.Producer)
		f, ok := before.fullyConnected()
		if !ok || before.op.Index >= s.op.Index || before.op.Damaged || len(before.op.Outputs) != 1 || f.in.Variable ||
			f.options.WeightsFormat() != schema.FullyConnectedOptionsWeightsFormatDEFAULT || !s.rowwise(f.filter) || f.bias != nil && (!s.rowwise(f.bias) || !slices.Equal(f.bias.Shape, []int32{f.units})) {
			return nil
		}
		parts := len(s.op.Outputs)
		units := int(f.units) / parts
		shape := slices.Clone(t.Shape)
		shape[len(shape)-1] = int32(units)
		for _, i := range s.op.Outputs {
			out := &s.sub.Tensors[i]
			if !slices.Equal(out.Shape, shape) || out.Type != t.Type || !sameQuantisation(out, t) || out.Variable || out.Constant || out.Input || units*parts != int(f.units) {
				return nil
			}
		}
		c := s.change()
		c.gone = append(c.gone, before.op.Index)
		for k, out := range s.op.Outputs {
			inputs := slices.Clone(before.op.Inputs)
			inputs[1] = c.rows(f.filter, k*units, (k+1)*units)
			if f.bias != nil {
				inputs[2] = c.rows(f.bias, k*units, (k+1)*units)
			}
			c.operators = append(c.operators, edit.Operator{Kind: edit.Piece, Of: before.op.Index, Inputs: inputs, Outputs: []int{out}})
		}
		return c
	},
}

// rowwise reports whether a constant of whole bytes can be divided along its first dimension.
func (s *site) rowwise(t *tflite.Tensor) bool {
	q := quantisationOf(t)
	return s.stored(t) && tflite.ElementBits(t.Type) >= 8 && len(t.Shape) > 0 && !q.details && (len(q.scales) < 2 || q.dimension == 0)
}
