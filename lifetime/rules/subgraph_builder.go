package rules

import (
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// work is one subgraph under construction: its remaining operators, and the known facts about
// its tensors.
type work struct {
	*builder
	sub       *tflite.Subgraph
	operators []lifetime.Operator
	constant  []bool
	handle    []bool // made by VAR_HANDLE
	decoded   []bool // made by TFLM_DECODE, in the decompression memory
	dropped   []bool // made by a dropped operator
	aliased   []bool // shares the memory of an input
	made      []int  // number of operators that make the tensor
	read      []int  // number of operators that read it
	reader    []int  // its last reader, an index into operators
	// resolved holds the shapes that the runtime infers for shapes with one unknown dimension,
	// by tensor.
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

// count counts the producers and readers of each tensor among the remaining operators.
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

// reserve returns the bytes to plan for a tensor, or the reason why it is not planned.
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

// exclude returns the reason, independent of its size, why a tensor is not planned.
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
