package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// reshapeBeforeConcatenation concatenates tensors in the shape of the RESHAPE that follows, and removes that RESHAPE. A streaming
// network concatenates the previous rows, which it reads from a variable, with new ones, and stores the last rows of the result.
var reshapeBeforeConcatenation = Rule{
	Name: "reshape-before-concatenation", Purpose: Work, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONCATENATION},
	Condition: "its inputs are constants, or outputs of READ_VARIABLE or RESHAPE with no other reader; its output is read by one RESHAPE, and perhaps by " +
		"STRIDED_SLICE before ASSIGN_VARIABLE; all dimensions before the axis are 1; each part is a whole number of rows of the new shape",
	Result: "CONCATENATION and STRIDED_SLICE in the shape of that RESHAPE, which is removed; variables are read and assigned in that shape",
	Reason: "in both shapes the same bytes follow one another; READ_VARIABLE copies bytes to an output of a known shape", Exact: everywhere,
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

// joint is a CONCATENATION with the output out, and the RESHAPE of that output to tensor to.
type joint struct {
	out, to *tflite.Tensor
	reshape *tflite.Operator
	// axis is the first dimension of to that is not 1, and row is the number of elements at each of its indexes.
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

// shape returns the new shape of a part with n elements, and whether these are whole rows.
func (j *joint) shape(n int64) ([]int32, bool) {
	shape := slices.Clone(j.to.Shape)
	shape[j.axis] = int32(n / j.row)
	return shape, n%j.row == 0
}

// join gives tensor t, an input of the CONCATENATION, its new shape, and sets input to the tensor to read. It returns false if it
// cannot.
func (c *change) join(j *joint, t *tflite.Tensor, input *int) bool {
	s := c.site
	if !static(t) || len(quantisationOf(t).scales) > 1 {
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

// sliceJoint replaces site s, a STRIDED_SLICE of the output of CONCATENATION, by one in the new shape. It returns false if it cannot.
func (c *change) sliceJoint(j *joint, s *site) bool {
	out := s.out()
	if s.code != schema.BuiltinOperatorSTRIDED_SLICE || s.op.Inputs[0] != j.out.Index || !s.reshapable(out) ||
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

// reshapable reports whether a tensor can get another shape: its shape is known, it has no quantisation along a dimension, and
// only operators of the subgraph see it.
func (s *site) reshapable(t *tflite.Tensor) bool {
	return static(t) && !t.Dynamic() && len(quantisationOf(t).scales) <= 1 && s.internal(t) && len(t.Consumers) > 0 &&
		!s.of(t.Producer).op.Damaged && !slices.ContainsFunc(t.Consumers, func(k int) bool { return s.of(k).op.Damaged })
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
