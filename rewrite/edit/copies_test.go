package edit

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// copies makes up to n operators, at random, read a copy of an input: a slice of all of
// it. It returns how many it found. Inputs are of the kinds given, none meaning those that
// all runtimes can slice.
func (e *making) copies(m *tflite.Model, r *rand.Rand, n int, kinds ...schema.TensorType) (found int) {
	if len(kinds) == 0 {
		kinds = []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16}
	}
	f := &flow{m: m, e: &e.Edit, sub: e.sub}
	f.inFile()
	for _, i := range r.Perm(len(e.sub.Operators)) {
		op := &e.sub.Operators[i]
		if found == n || f.bound[i] || op.Damaged || len(op.Outputs) == 0 || hasEffects(m, op) {
			continue
		}
		for k, t := range op.Inputs {
			if t >= 0 && copiable(e.sub, t) && slices.Contains(kinds, e.sub.Tensors[t].Type) {
				e.copied(i, k, t)
				found++
				break
			}
		}
	}
	return found
}

// copied makes operator i read a copy of tensor t, as its k-th input.
func (e *making) copied(i, k, t int) {
	op := &e.sub.Operators[i]
	shape := e.sub.Tensors[t].Shape
	rank := []int32{int32(len(shape))}
	c := e.like("copy", t, shape...)
	begin, size := e.constant("begin", rank, make([]int32, len(shape))...), e.constant("size", rank, shape...)
	in := slices.Clone(op.Inputs)
	in[k] = c
	e.replace(
		i, Operator{Kind: Slice, Inputs: []int{t, begin, size}, Outputs: []int{c}},
		Operator{Kind: Piece, Of: i, Inputs: in, Outputs: op.Outputs},
	)
}

// copiable reports whether a tensor of a type that can be sliced can be.
func copiable(s *tflite.Subgraph, t int) bool {
	tensor := &s.Tensors[t]
	n, sized := tensor.PackedBytes()
	return !tensor.Constant && !tensor.Variable && !tensor.Dynamic() &&
		len(tensor.Shape) > 0 && len(tensor.Shape) <= 4 && sized && n > 0
}

// renamed makes operator i write a tensor like its first output, which all that read the
// output read instead: the output is idle. It returns false where it cannot.
func (e *making) renamed(m *tflite.Model, i int) bool {
	f := &flow{m: m, e: &e.Edit, sub: e.sub}
	f.inFile()
	op := &e.sub.Operators[i]
	if len(op.Outputs) == 0 || op.Outputs[0] < 0 || !copiable(e.sub, op.Outputs[0]) || e.sub.Tensors[op.Outputs[0]].Output {
		return false
	}
	t := op.Outputs[0]
	for _, k := range append([]int{i}, e.sub.Tensors[t].Consumers...) {
		if op := &e.sub.Operators[k]; f.bound[k] || op.Damaged || hasEffects(m, op) || !e.keeps(k) {
			return false
		}
	}
	other := e.like("renamed", t, e.sub.Tensors[t].Shape...)
	swap := func(list []int) []int {
		list = slices.Clone(list)
		for k := range list {
			if list[k] == t {
				list[k] = other
			}
		}
		return list
	}
	for _, k := range append([]int{i}, e.sub.Tensors[t].Consumers...) {
		op := &e.sub.Operators[k]
		e.replace(k, Operator{Kind: Piece, Of: k, Inputs: swap(op.Inputs), Outputs: swap(op.Outputs)})
	}
	return true
}
