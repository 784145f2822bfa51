package cleanup

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Idle is an operator that computes nothing.
type Idle struct {
	// Operator is the index in the subgraph.
	Operator int
	// Why is the reason, one sentence for people.
	Why string
}

// Find returns the operators of a subgraph whose output can be replaced by their first input in
// all readers: both have the same type, quantisation and bytes. An output of the graph is never
// replaced.
func Find(m *tflite.Model, subgraph int) []Idle {
	f := finder{m, &m.Subgraphs[subgraph]}
	var list []Idle
	for i := range f.sub.Operators {
		op := &f.sub.Operators[i]
		if why := f.idle(op); why != "" && f.replaceable(op) {
			list = append(list, Idle{i, why})
		}
	}
	return list
}

type finder struct {
	model *tflite.Model
	sub   *tflite.Subgraph
}

// idle returns the reason why an operator's output has the bytes of its first input, or "".
func (f finder) idle(o *tflite.Operator) string {
	if len(o.Inputs) == 0 || o.Inputs[0] < 0 || len(o.Outputs) != 1 || o.Outputs[0] < 0 {
		return ""
	}
	same := slices.Equal(f.sub.Tensors[o.Inputs[0]].Shape, f.sub.Tensors[o.Outputs[0]].Shape)
	switch f.model.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2:
		if same && f.padsNothing(o) {
			return "it pads by nothing"
		}
	case schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOperatorRESIZE_BILINEAR:
		if same {
			return "it resizes to the same size"
		}
	case schema.BuiltinOperatorSLICE:
		if same && f.slicesWhole(o) {
			return "it slices the whole"
		}
	case schema.BuiltinOperatorRESHAPE:
		if same {
			return "it reshapes to the same shape"
		}
		if f.reshapedAgain(o.Outputs[0]) {
			return "its output is only reshaped again"
		}
	}
	return ""
}

// padsNothing reports whether all paddings of an operator are zero.
func (f finder) padsNothing(o *tflite.Operator) bool {
	pads, ok := op.Paddings(f.model, f.sub, o)
	return ok && len(pads) > 0 && !slices.ContainsFunc(pads, func(p [2]int64) bool { return p != [2]int64{} })
}

// slicesWhole reports whether an operator that extracts a part of the same size as the whole
// begins at the first element.
func (f finder) slicesWhole(o *tflite.Operator) bool {
	begin, ok := op.Ints(f.model, f.sub.Operand(o.Inputs, 1))
	return ok && len(begin) > 0 && !slices.ContainsFunc(begin, func(at int64) bool { return at != 0 })
}

// reshapedAgain reports whether only RESHAPE reads a tensor, as its data input.
func (f finder) reshapedAgain(tensor int) bool {
	readers := f.sub.Tensors[tensor].Consumers
	for _, i := range readers {
		op := &f.sub.Operators[i]
		if f.model.OperatorCodes[op.Code].Builtin != schema.BuiltinOperatorRESHAPE || op.Inputs[0] != tensor || slices.Contains(op.Inputs[1:], tensor) {
			return false
		}
	}
	return len(readers) > 0
}

// replaceable reports whether an operator's first input can replace its output.
func (f finder) replaceable(op *tflite.Operator) bool {
	in, out := &f.sub.Tensors[op.Inputs[0]], &f.sub.Tensors[op.Outputs[0]]
	return in != out && f.complete(out.Consumers) && !out.Returned && !out.Variable && !in.Variable && !in.Constant && !in.Dynamic() && !out.Dynamic() &&
		in.Type == out.Type && sameQuantization(in, out) && f.madeOnce(op.Outputs[0])
}

// complete reports whether operators have all their outputs; others cannot be given another
// input.
func (f finder) complete(operators []int) bool {
	return !slices.ContainsFunc(operators, func(i int) bool { return slices.Contains(f.sub.Operators[i].Outputs, -1) })
}

func (f finder) madeOnce(tensor int) bool {
	n := 0
	for i := range f.sub.Operators {
		if slices.Contains(f.sub.Operators[i].Outputs, tensor) {
			n++
		}
	}
	return n == 1
}

// sameQuantization reports whether two tensors have the same scales and zero points.
func sameQuantization(a, b *tflite.Tensor) bool {
	var p, q schema.QuantizationParameters
	first, second := a.Table(), b.Table()
	have, want := first.Quantization(&p), second.Quantization(&q)
	if have == nil || want == nil {
		return (have == nil || have.ScaleLength() == 0) && (want == nil || want.ScaleLength() == 0)
	}
	if p.ScaleLength() != q.ScaleLength() || p.ZeroPointLength() != q.ZeroPointLength() || p.DetailsType() != q.DetailsType() ||
		p.QuantizedDimension() != q.QuantizedDimension() && p.ScaleLength() > 1 {
		return false
	}
	for i := range p.ScaleLength() {
		if p.Scale(i) != q.Scale(i) {
			return false
		}
	}
	for i := range p.ZeroPointLength() {
		if p.ZeroPoint(i) != q.ZeroPoint(i) {
			return false
		}
	}
	return true
}
