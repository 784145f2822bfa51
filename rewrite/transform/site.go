package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// site is an operator to which a rule may apply.
type site struct {
	m      *tflite.Model
	sub    *tflite.Subgraph
	op     *tflite.Operator
	code   schema.BuiltinOperator
	device rules.Device
}

// of returns another operator of the subgraph as a site.
func (s *site) of(operator int) *site {
	o := &s.sub.Operators[operator]
	return &site{m: s.m, sub: s.sub, op: o, code: s.m.OperatorCodes[o.Code].Builtin, device: s.device}
}

// in returns input i, or nil if it is absent.
//
//go:noinline
func (s *site) in(i int) *tflite.Tensor { return s.sub.Operand(s.op.Inputs, i) }

// out returns the output of an operator with one output, or nil.
//
//go:noinline
func (s *site) out() *tflite.Tensor {
	if len(s.op.Outputs) != 1 {
		return nil
	}
	return s.sub.Operand(s.op.Outputs, 0)
}

// ints returns the values of input i, a constant of integers with at least one value.
func (s *site) ints(i int) ([]int64, bool) {
	list, ok := op.Ints(s.m, s.in(i))
	return list, ok && len(list) > 0
}

// static reports whether tensors are there and have a shape with elements, no more than 32 bits count.
func static(list ...*tflite.Tensor) bool {
	return !slices.ContainsFunc(list, func(t *tflite.Tensor) bool { return t == nil || !countable(t.Shape) })
}

// countable reports whether a shape has elements, no more than 32 bits count.
func countable(shape []int32) bool {
	n := int64(1)
	for _, d := range shape {
		if n *= int64(d); d <= 0 || n > math.MaxInt32 {
			return false
		}
	}
	return true
}

// sized reports whether a tensor has a size in bytes.
func sized(t *tflite.Tensor) bool {
	_, ok := t.PackedBytes()
	return ok
}

// elements returns the number of elements of a shape.
func elements(shape []int32) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

// replaceable reports whether readers of tensor old can read tensor by instead: they have the same type and
// quantisation, and old is written once, is no output of the graph, and is read only by operators that
// can be given another input.
func (s *site) replaceable(old, by *tflite.Tensor) bool {
	return old != by && s.hidden(old) && !by.Variable && !by.Constant &&
		old.Type == by.Type && sameQuantisation(old, by)
}

// hidden reports whether a tensor is written once, is no output of the graph, and is read only by
// operators that can be given another input.
func (s *site) hidden(t *tflite.Tensor) bool {
	incomplete := func(i int) bool {
		o := &s.sub.Operators[i]
		return slices.Contains(o.Outputs, -1) || op.HasEffects(s.m, o)
	}
	return s.internal(t) && !slices.ContainsFunc(t.Consumers, incomplete)
}

// internal reports whether a tensor is written once, by [tflite.Tensor.Producer], and only operators of the subgraph see it.
func (s *site) internal(t *tflite.Tensor) bool {
	writers := 0
	for i := range s.sub.Operators {
		if slices.Contains(s.sub.Operators[i].Outputs, t.Index) {
			writers++
		}
	}
	return writers == 1 && !t.Input && !t.Returned && !t.Variable && !t.Constant && !t.Sparse
}

// readBy reports whether operators of a code read a tensor, as their first input, and nothing else does. Each must pass
// another check, if there is one.
func (s *site) readBy(t *tflite.Tensor, code schema.BuiltinOperator, passes func(o *tflite.Operator) bool) bool {
	return len(t.Consumers) > 0 && !slices.ContainsFunc(t.Consumers, func(i int) bool {
		o := &s.sub.Operators[i]
		return s.m.OperatorCodes[o.Code].Builtin != code || o.Inputs[0] != t.Index || slices.Contains(o.Inputs[1:], t.Index) || passes != nil && !passes(o)
	})
}

// activation returns the name of the operator that computes a fused activation, or false if none does.
func activation(a schema.ActivationFunctionType) (schema.BuiltinOperator, bool) {
	switch a {
	case schema.ActivationFunctionTypeRELU:
		return schema.BuiltinOperatorRELU, true
	case schema.ActivationFunctionTypeRELU6:
		return schema.BuiltinOperatorRELU6, true
	}
	return 0, false
}
