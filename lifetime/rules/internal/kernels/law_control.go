package kernels

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// Requirements of kernels that call subgraphs.

// called returns a subgraph that the operator calls, or nil.
func (k *Kernel) called(i int) *tflite.Subgraph {
	if i >= len(k.op.Subgraphs) {
		return nil
	}
	return &k.model.Subgraphs[k.op.Subgraphs[i]]
}

// fits returns the mismatch between a called subgraph and the operator's operands.
func fits(s *tflite.Subgraph, inputs, outputs int) string {
	switch {
	case s == nil:
		return "it names no subgraph"
	case len(s.Inputs) != inputs || len(s.Outputs) != outputs:
		return fmt.Sprintf("subgraph %d has %d inputs and %d outputs, and it is called with %d and %d",
			s.Index, len(s.Inputs), len(s.Outputs), inputs, outputs)
	}
	return ""
}

// everyInput requires every input.
var everyInput = prepare(func(k *Kernel) string { return k.allInputs() })

// handsOver requires that tensors have the type and the size of the subgraph's tensors that
// they are copied to or from.
func (k *Kernel) handsOver(tensors []int, s *tflite.Subgraph, copies []int) string {
	for i, t := range tensors {
		if i >= len(copies) || t < 0 || copies[i] < 0 {
			break
		}
		a, b := &k.sub.Tensors[t], &s.Tensors[copies[i]]
		if a.Type != b.Type || Elements(a) != Elements(b) {
			return fmt.Sprintf("tensor %d is %v%v, and tensor %d of subgraph %d, to or from which it is copied, %v%v", t, a.Type, a.Shape, copies[i], s.Index, b.Type, b.Shape)
		}
	}
	return ""
}

var branch = laws(counts(1, -1, -1), has(input(0)), takes(input(0), boolean), elements(input(0), 1), later(everyInput), prepare(func(k *Kernel) string {
	for i := range 2 {
		if why := fits(k.called(i), len(k.op.Inputs)-1, len(k.op.Outputs)); why != "" {
			return why
		}
	}
	return ""
}), eval(func(k *Kernel) string {
	for i := range 2 {
		s := k.called(i)
		if why := k.handsOver(k.op.Inputs[1:], s, s.Inputs); why != "" {
			return why
		}
		if why := k.handsOver(k.op.Outputs, s, s.Outputs); why != "" {
			return why
		}
	}
	return ""
}))

var loop = laws(later(everyInput), prepare(func(k *Kernel) string {
	n := len(k.op.Inputs)
	if len(k.op.Outputs) != n {
		return fmt.Sprintf("it has %d inputs and %d outputs", n, len(k.op.Outputs))
	}
	if why := fits(k.called(0), n, 1); why != "" {
		return why
	}
	return fits(k.called(1), n, n)
}), eval(func(k *Kernel) string {
	cond, body := k.called(0), k.called(1)
	for _, way := range []struct {
		tensors []int
		sub     *tflite.Subgraph
		copies  []int
	}{{k.op.Inputs, cond, cond.Inputs}, {k.op.Outputs, body, body.Inputs}, {k.op.Outputs, body, body.Outputs}} {
		if why := k.handsOver(way.tensors, way.sub, way.copies); why != "" {
			return why
		}
	}
	return ""
}))

var once = []law{prepare(func(k *Kernel) string { return fits(k.called(0), 0, 0) })}
