package rules

import (
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// work is one subgraph on its way into the graph: its operators, as far as they
// are left, and what is known of its tensors.
type work struct {
	*builder
	sub       *tflite.Subgraph
	operators []lifetime.Operator
	constant  []bool
	handle    []bool // made by VAR_HANDLE
	decoded   []bool // made by TFLM_DECODE, in the decompression memory
	dropped   []bool // made by an operator that was dropped
	aliased   []bool // shares the memory of an input
	made      []int  // how many operators make the tensor
	read      []int  // how many operators read it
	reader    []int  // the last of them, an index into operators
	// resolved are the shapes that the runtime finds where the file has one unknown
	// dimension, by tensor.
	resolved map[int][]int32
}

func newWork(b *builder, s *tflite.Subgraph) *work {
	n := len(s.Tensors)
	w := &work{
		builder: b, sub: s,
		constant: make([]bool, n), handle: make([]bool, n), decoded: make([]bool, n),
		dropped: make([]bool, n), aliased: make([]bool, n),
	}
	for i := range s.Tensors {
		w.constant[i] = b.isConstant(&s.Tensors[i])
	}
	for i := range s.Operators {
		o := &s.Operators[i]
		w.operators = append(w.operators, lifetime.Operator{
			Index: i, Inputs: o.Inputs, Outputs: o.Outputs, Calls: b.calls(o),
		})
		switch b.builtin(o) {
		case schema.BuiltinOperatorVAR_HANDLE:
			set(w.handle, o.Outputs)
		case schema.BuiltinOperatorRESHAPE:
			w.resolve(o)
		case schema.BuiltinOperatorCUSTOM:
			set(w.decoded, w.rules.decompressed(w.model, s, o))
		}
	}
	w.count()
	return w
}

func (b *builder) builtin(op *tflite.Operator) schema.BuiltinOperator {
	return b.model.OperatorCodes[op.Code].Builtin
}

func (b *builder) isConstant(t *tflite.Tensor) bool {
	if !b.rules.EmbeddedOnly {
		return t.Constant
	}
	buffer := b.model.Buffer(t)
	return len(buffer.Data) > 0 && !buffer.Outside
}

// count counts how often each tensor is made and read by the operators left.
func (w *work) count() {
	n := len(w.constant)
	w.made, w.read, w.reader = make([]int, n), make([]int, n), make([]int, n)
	for i, op := range w.operators {
		add(w.made, op.Outputs)
		add(w.read, op.Inputs)
		for _, t := range op.Inputs {
			if t >= 0 {
				w.reader[t] = i
			}
		}
	}
}

func add(counts, tensors []int) {
	for _, t := range tensors {
		if t >= 0 {
			counts[t]++
		}
	}
}

func set(flags []bool, tensors []int) {
	for _, t := range tensors {
		if t >= 0 {
			flags[t] = true
		}
	}
}

// reserve returns the bytes to plan for a tensor, or why it is not planned.
func (w *work) reserve(t *tflite.Tensor) (int64, Reason) {
	if reason := w.exclude(t); reason != "" {
		return 0, reason
	}
	if shape, ok := w.resolved[t.Index]; ok {
		known := *t
		known.Shape = shape
		t = &known
	}
	size, reason := w.rules.size(t)
	if reason != "" {
		return 0, reason
	}
	return size, ""
}

// exclude says why the tensor is not planned whatever its size.
func (w *work) exclude(t *tflite.Tensor) Reason {
	i, r := t.Index, w.rules
	switch {
	case w.constant[i]:
		return Constant
	case t.Variable:
		return Variable
	case w.handle[i]:
		return VariableHandle
	case w.decoded[i]:
		return Decompressed
	case w.dropped[i]:
		return Dropped
	case r.IntermediatesOnly && t.Input:
		return GraphInput
	case r.IntermediatesOnly && t.Output:
		return GraphOutput
	case r.IntermediatesOnly && w.made[i] > 0 && w.read[i] == 0:
		return Unread
	case r.SkipUntouched && w.made[i] == 0 && !t.Input:
		if w.read[i] > 0 || t.Output {
			return NeverMade
		}
		return Untouched
	case w.aliased[i]:
		return Aliased
	}
	return ""
}
