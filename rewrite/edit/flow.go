package edit

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// flow tracks which tensors have been written, operator by operator.
type flow struct {
	m   *tflite.Model
	e   *Edit
	sub *tflite.Subgraph
	// written marks the tensors that hold a value: initially, then also those written so far.
	written []bool
	// special marks tensors of the file that are not simply written once and then read:
	// variables, tensors written again, and tensors read before they are written.
	special []bool
	// bound marks operators of the file that touch special tensors or have intermediates. They
	// must be kept, in order; a piece may stand in for one that reads variables.
	bound []bool
}

// checkFlow checks that each operator reads only tensors already written and writes each tensor
// once.
func checkFlow(m *tflite.Model, e *Edit) error {
	f := &flow{m: m, e: e, sub: &m.Subgraphs[e.Subgraph]}
	f.inFile()
	f.begin()
	if err := f.checkBound(); err != nil {
		return err
	}
	for i := range e.Operators {
		if err := f.step(i); err != nil {
			return err
		}
	}
	for _, t := range f.needed() {
		if f.missing(t) {
			return fmt.Errorf("tensor %s is an output of the graph, but no operator makes it", f.name(t))
		}
	}
	return nil
}

// begin marks the tensors that hold a value from the start.
func (f *flow) begin() {
	f.written = make([]bool, len(f.sub.Tensors)+len(f.e.Tensors))
	for t := range f.sub.Tensors {
		tensor := &f.sub.Tensors[t]
		f.written[t] = tensor.Constant || tensor.Variable || tensor.Input
	}
	for i := range f.e.Tensors {
		t := &f.e.Tensors[i]
		f.written[len(f.sub.Tensors)+i] = t.Data != nil || t.Buffer > 0
	}
	for i := range f.e.Reshaped {
		f.written[f.e.Reshaped[i].Tensor] = f.written[f.e.Reshaped[i].Tensor] || f.e.Reshaped[i].Data != nil
	}
}

// inFile finds the special tensors and bound operators by walking the file's operators in
// order.
func (f *flow) inFile() {
	f.begin()
	f.special = make([]bool, len(f.written))
	for t := range f.sub.Tensors {
		f.special[t] = f.sub.Tensors[t].Variable
	}
	for i := range f.sub.Operators {
		patch.Touches(f.sub, &f.sub.Operators[i], func(t int, writes bool) {
			f.special[t] = f.special[t] || writes == f.written[t]
			f.written[t] = f.written[t] || writes
		})
	}
	for _, t := range f.needed() {
		f.special[t] = f.special[t] || !f.written[t]
	}
	f.bound = make([]bool, len(f.sub.Operators))
	for i := range f.sub.Operators {
		op := &f.sub.Operators[i]
		f.bound[i] = len(op.Intermediates) > 0
		patch.Touches(f.sub, op, func(t int, _ bool) { f.bound[i] = f.bound[i] || f.special[t] })
	}
}

// needed returns the tensors read after all operators have run.
func (f *flow) needed() []int {
	list := slices.Clone(f.sub.Outputs)
	for _, s := range f.m.Signatures {
		if s.Subgraph == f.e.Subgraph {
			for _, t := range s.Outputs {
				list = append(list, t.Tensor)
			}
		}
	}
	return list
}

// checkBound checks that bound operators, or their stand-ins, are kept in order, and that no operator is
// kept twice.
func (f *flow) checkBound() error {
	kept := make([]bool, len(f.sub.Operators))
	next := 0
	for i := range f.e.Operators {
		op := &f.e.Operators[i]
		if op.Kind != Keep && !f.standsIn(op) {
			continue
		}
		if kept[op.Of] {
			return fmt.Errorf("operator %d: operator %d of the file is kept twice", i, op.Of)
		}
		kept[op.Of] = true
		if f.bound[op.Of] {
			for ; next < op.Of; next++ {
				if f.bound[next] {
					return f.unkept(next)
				}
			}
			if next > op.Of {
				return f.unkept(op.Of)
			}
			next = op.Of + 1
		}
	}
	for ; next < len(f.bound); next++ {
		if f.bound[next] {
			return f.unkept(next)
		}
	}
	return f.checkUnboundPieces()
}

func (f *flow) unkept(i int) error {
	return &patch.RefusedError{Reason: fmt.Sprintf(
		"operator %s touches a variable, has intermediates, or touches a tensor that is not simply made once and then read: it has to keep its place among such operators",
		patch.OperatorID(f.e.Subgraph, &f.sub.Operators[i]))}
}

// standsIn reports whether a piece can take the place of an operator that is bound only by reading variables: it
// has the same outputs and, in their places, the same variables.
func (f *flow) standsIn(op *Operator) bool {
	if op.Kind != Piece || !f.bound[op.Of] {
		return false
	}
	old := &f.sub.Operators[op.Of]
	special := func(list []int, i int) int {
		if i < len(list) && list[i] >= 0 && f.special[list[i]] {
			return list[i]
		}
		return -1
	}
	for i := range max(len(op.Inputs), len(old.Inputs)) {
		t := special(old.Inputs, i)
		if special(op.Inputs, i) != t || t >= 0 && !f.sub.Tensors[t].Variable {
			return false
		}
	}
	return len(old.Intermediates) == 0 && slices.Equal(op.Outputs, old.Outputs) &&
		!slices.ContainsFunc(op.Outputs, func(t int) bool { return t >= 0 && f.special[t] })
}

// checkUnboundPieces refuses pieces of bound operators, except those in their place.
func (f *flow) checkUnboundPieces() error {
	for i := range f.e.Operators {
		if op := &f.e.Operators[i]; (op.Kind != Keep && op.Kind.ofFile()) && f.bound[op.Of] && !f.standsIn(op) {
			return f.unkept(op.Of)
		}
	}
	return nil
}

// step checks the tensors that operator i of the edit reads and writes.
func (f *flow) step(i int) error {
	op := &f.e.Operators[i]
	inputs, outputs, bound := op.Inputs, op.Outputs, false
	if op.Kind == Keep {
		old := &f.sub.Operators[op.Of]
		inputs, outputs, bound = old.Inputs, joined(old.Outputs, old.Intermediates), f.bound[op.Of]
	}
	if err := f.checkSpecial(i, bound || f.standsIn(op), joined(inputs, outputs)); err != nil {
		return err
	}
	for _, t := range inputs {
		if f.missing(t) {
			return fmt.Errorf("operator %d reads tensor %s, which no operator before it makes", i, f.name(t))
		}
	}
	for _, t := range outputs {
		if t >= 0 && f.written[t] && !f.special[t] {
			return fmt.Errorf("operator %d makes tensor %s, which is there already", i, f.name(t))
		}
		if t >= 0 {
			f.written[t] = true
		}
	}
	return nil
}

// checkSpecial refuses special tensors as operands of operators that are not bound.
func (f *flow) checkSpecial(i int, bound bool, tensors []int) error {
	for _, t := range tensors {
		if t >= 0 && f.special[t] && !bound {
			return &patch.RefusedError{Reason: fmt.Sprintf(
				"operator %d touches tensor %s, which the file more than makes once and then reads: only operators of the file may", i, f.name(t))}
		}
	}
	return nil
}

// missing reports whether an ordinary tensor has not been written yet.
func (f *flow) missing(t int) bool { return t >= 0 && !f.written[t] && !f.special[t] }

func (f *flow) name(t int) string {
	name := ""
	if n := len(f.sub.Tensors); t < n {
		name = f.sub.Tensors[t].Name
	} else {
		name = f.e.Tensors[t-n].Name
	}
	return fmt.Sprintf("%s %q", f.m.TensorID(f.e.Subgraph, t), name)
}
