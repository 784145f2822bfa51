package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// reshapeBeforeConcatenation removes a RESHAPE of joined tensors, by joining them in its shape. A network that works on a stream
// joins the last rows, from a variable, with new ones, and keeps the last rows of the result.
var reshapeBeforeConcatenation = Rule{
	Name: "reshape-before-concatenation", Purpose: Work, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONCATENATION},
	Condition: "its inputs are constant, or outputs of READ_VARIABLE or RESHAPE that it alone reads; one RESHAPE reads its output, and perhaps slices that " +
		"variables are assigned; all dimensions before the axis are 1; each part is a whole number of rows of the new shape",
	Result: "CONCATENATION and the slices in the shape of that RESHAPE, which is removed; variables are read and assigned in that shape",
	Reason: "both shapes join the same bytes one after another; READ_VARIABLE copies bytes to an output of a known shape", Exact: everywhere,
	match: func(s *site) *change {
		j := s.joint()
		if j == nil {
			return nil
		}
		c := s.change()
		seen, n := map[int]bool{}, int64(0)
		inputs := slices.Clone(s.op.Inputs)
		for i, t := range inputs {
			if seen[t] || !c.join(j, s.in(i), &inputs[i]) {
				return nil
			}
			seen[t], n = true, n+elements(s.in(i).Shape)
		}
		if n != elements(j.out.Shape) {
			return nil
		}
		c.again(inputs, j.out.Index, edit.Option{Field: 0, Value: int64(j.axis)})
		for _, k := range j.out.Consumers {
			if k != j.reshape.Index && !c.sliceJoint(j, s.of(k)) {
				return nil
			}
		}
		c.gone = append(c.gone, j.reshape.Index)
		c.instead[j.to.Index] = j.out.Index
		c.reshaped = append(c.reshaped, edit.Reshaped{Tensor: j.out.Index, Shape: j.to.Shape})
		return c
	},
}

// joint is a CONCATENATION whose output out a RESHAPE turns into tensor to.
type joint struct {
	out, to *tflite.Tensor
	reshape *tflite.Operator
	// axis is the first dimension of to that is not 1, and row the number of elements of each of its elements.
	axis int
	row  int64
}

// joint returns the site as such a CONCATENATION, or nil.
func (s *site) joint() *joint {
	var options schema.ConcatenationOptions
	out := s.out()
	if !s.reshapable(out) || !s.op.Options(schema.BuiltinOptionsConcatenationOptions, &options) || s.variablesOpen() {
		return nil
	}
	axis := int(options.Axis())
	if axis < 0 {
		axis += len(out.Shape)
	}
	if axis < 0 || axis >= len(out.Shape) || elements(out.Shape[:axis]) != 1 {
		return nil
	}
	var j *joint
	for _, k := range out.Consumers {
		r := s.of(k)
		if r.code != schema.BuiltinOperatorRESHAPE {
			continue
		}
		to := r.out()
		if j != nil || r.op.Inputs[0] != out.Index || !static(to) || to.Dynamic() || elements(to.Shape) != elements(out.Shape) || !s.replaceable(to, out) {
			return nil
		}
		first := slices.IndexFunc(to.Shape, func(d int32) bool { return d != 1 })
		if first < 0 {
			return nil
		}
		j = &joint{out: out, to: to, reshape: r.op, axis: first, row: elements(to.Shape[first+1:])}
	}
	return j
}

// shape returns the shape of a part of a number of elements, if it has whole rows.
func (j *joint) shape(n int64) ([]int32, bool) {
	shape := slices.Clone(j.to.Shape)
	shape[j.axis] = int32(n / j.row)
	return shape, n%j.row == 0
}

// join gives an input of CONCATENATION the shape of a part.
func (c *change) join(j *joint, t *tflite.Tensor, input *int) bool {
	s := c.site
	if !static(t) || !uniform(t) {
		return false
	}
	shape, ok := j.shape(elements(t.Shape))
	switch {
	case !ok:
		return false
	case s.stored(t):
		*input = c.constant(t, shape...)
		return true
	case !s.reshapable(t) || len(t.Consumers) != 1 || t.Producer >= s.op.Index:
		return false
	}
	switch by := s.of(t.Producer); by.code {
	case schema.BuiltinOperatorREAD_VARIABLE:
	case schema.BuiltinOperatorRESHAPE:
		from := by.in(0)
		if by.out() == nil || !static(from) || from.Dynamic() || from.Variable {
			return false
		}
		c.gone = append(c.gone, by.op.Index)
		c.reshapeTo(from.Index, t.Index, shape...)
	default:
		return false
	}
	c.reshaped = append(c.reshaped, edit.Reshaped{Tensor: t.Index, Shape: shape})
	return true
}

// sliceJoint makes a slice of the output of CONCATENATION one of whole rows, if a variable is assigned the result.
func (c *change) sliceJoint(j *joint, s *site) bool {
	out := s.out()
	if s.code != schema.BuiltinOperatorSTRIDED_SLICE || s.op.Inputs[0] != j.out.Index || out == nil || !s.reshapable(out) ||
		slices.ContainsFunc(out.Consumers, func(k int) bool { return s.of(k).code != schema.BuiltinOperatorASSIGN_VARIABLE }) {
		return false
	}
	list, ok := s.selections()
	if !ok {
		return false
	}
	list = joined(list, true)
	if len(list) != 1 || list[0].step != 1 || list[0].from%j.row != 0 {
		return false
	}
	shape, ok := j.shape(list[0].count)
	if !ok {
		return false
	}
	var parts []selection
	for i, d := range j.to.Shape {
		p := selection{in: int64(d), step: 1, count: int64(shape[i])}
		if i == j.axis {
			p.from = list[0].from / j.row
		}
		parts = append(parts, p)
	}
	c.gone = append(c.gone, s.op.Index)
	parameters, options := c.strides(parts)
	c.operators = append(c.operators, edit.Operator{
		Kind: edit.Piece, Of: s.op.Index, Inputs: append([]int{j.out.Index}, parameters...), Outputs: []int{out.Index}, Options: options,
	})
	c.reshaped = append(c.reshaped, edit.Reshaped{Tensor: out.Index, Shape: shape})
	return true
}

// reshapable reports whether a tensor can get another shape: one operator writes it, operators read it, it is not visible
// outside the subgraph, and its shape and size are known.
func (s *site) reshapable(t *tflite.Tensor) bool {
	return static(t) && !t.Dynamic() && uniform(t) && s.writers(t) == 1 && len(t.Consumers) > 0 &&
		!t.Input && !t.Output && !t.Returned && !t.Variable && !t.Constant && !t.Sparse &&
		!s.of(t.Producer).op.Damaged && !slices.ContainsFunc(t.Consumers, func(k int) bool { return s.of(k).op.Damaged })
}

// uniform reports whether a tensor has elements of a known size, and no quantisation along a dimension.
func uniform(t *tflite.Tensor) bool {
	return sized(t) && len(quantisationOf(t).scales) <= 1
}

// variablesOpen reports whether a READ_VARIABLE has an output of an unknown shape or without dimensions, which LiteRT gives the
// shape of the last assigned value (tensorflow/lite/kernels/read_variable.cc).
func (s *site) variablesOpen() bool {
	for i := range s.m.Subgraphs {
		sub := &s.m.Subgraphs[i]
		for k := range sub.Operators {
			o := &sub.Operators[k]
			if s.m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorREAD_VARIABLE {
				continue
			}
			if t := sub.Operand(o.Outputs, 0); t == nil || len(t.Shape) == 0 || t.Dynamic() {
				return true
			}
		}
	}
	return false
}
