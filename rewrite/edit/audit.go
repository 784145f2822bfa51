package edit

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// audit parses the new file and compares it with the original model and the edit: everything
// old is unchanged, and everything new is as requested.
func (w *editor) audit(data []byte, sites []patch.Site) error {
	got, err := tflite.Parse(data, w.m.Name)
	if err != nil {
		return patch.Sharing("the edited file would be broken: %v", err)
	}
	if err := w.auditBytes(data, sites); err != nil {
		return err
	}
	if err := patch.SharedBytes(w.m.Data, data, w.Shift(), spans(w.freeRanges)...); err != nil {
		return err
	}
	if err := w.auditFreeRanges(got); err != nil {
		return err
	}
	if err := w.auditOperators(got); err != nil {
		return err
	}
	if err := w.auditTensors(got); err != nil {
		return err
	}
	// Operators of the edited subgraph are already compared; compare everything else.
	want, rest := w.want(got), *got
	rest.Subgraphs = slices.Clone(got.Subgraphs)
	rest.Subgraphs[w.e.Subgraph].Operators = nil
	want.Subgraphs[w.e.Subgraph].Operators = nil
	if part := patch.Difference(want, &rest, w.Shift()); part != "" {
		return patch.Sharing("the edited file would differ in its %s", part)
	}
	if patch.Carries(got) {
		return patch.Sharing("the edited file would have a plan")
	}
	return patch.SameArchive(w.m, data, w.Shift())
}

// want returns the model expected from the new file. got supplies only the offsets of the added
// buffers.
func (w *editor) want(got *tflite.Model) *tflite.Model {
	want := *w.m
	want.OperatorCodes = joined(w.m.OperatorCodes, w.codes)
	want.Buffers = slices.Clone(w.m.Buffers)
	if len(w.buffers) > 0 && len(want.Buffers) == 0 {
		want.Buffers = []tflite.Buffer{{}}
	}
	for _, r := range w.freeRanges {
		want.Buffers[r.buffer] = tflite.Buffer{}
	}
	for i, data := range w.buffers {
		b := tflite.Buffer{Data: data, Present: true}
		if at := w.firstBuffer() + i; at < len(got.Buffers) {
			b.Offset = got.Buffers[at].Offset - w.Shift()
		}
		want.Buffers = append(want.Buffers, b)
	}
	if md := w.e.Metadata; md != nil {
		want.Metadata = nil
		for _, i := range w.otherMetadata() {
			want.Metadata = append(want.Metadata, w.m.Metadata[i])
		}
		if len(md.Data) > 0 {
			want.Metadata = append(want.Metadata, tflite.Metadata{Name: md.Name, Buffer: len(want.Buffers) - 1})
		}
	}
	want.Subgraphs = slices.Clone(w.m.Subgraphs)
	sub := &want.Subgraphs[w.e.Subgraph]
	sub.Tensors = slices.Clone(sub.Tensors[:len(sub.Tensors)-w.e.Removed])
	for _, t := range w.emptiedTensors() {
		sub.Tensors[t].Shape, sub.Tensors[t].Signature, sub.Tensors[t].Constant = w.noElements(t), nil, false
	}
	for _, r := range w.e.Reshaped {
		t := &sub.Tensors[r.Tensor]
		if t.Shape, t.Signature = r.Shape, nil; len(r.Shape) == 0 {
			t.Shape = []int32{}
		}
		if r.Data != nil {
			t.Buffer, t.Constant = w.bufferIndex[string(r.Data)], true
		}
	}
	for i := range w.e.Tensors {
		sub.Tensors = append(sub.Tensors, w.wantTensor(i))
	}
	for i := range sub.Tensors {
		sub.Tensors[i].Producer, sub.Tensors[i].Consumers = -1, nil
	}
	for i := range w.e.Operators {
		w.link(sub, i)
	}
	return &want
}

func (w *editor) wantTensor(i int) tflite.Tensor {
	t := &w.e.Tensors[i]
	out := tflite.Tensor{
		Index: len(w.m.Subgraphs[w.e.Subgraph].Tensors) + i, Name: t.Name, Type: t.kind(w.m, w.e.Subgraph),
		Shape: t.Shape, HasRank: len(t.Shape) == 0, Buffer: t.Buffer, Constant: t.Data != nil || t.Buffer > 0,
	}
	if len(t.Shape) == 0 {
		out.Shape = []int32{}
	}
	if t.Like >= 0 && w.m.Subgraphs[w.e.Subgraph].Tensors[t.Like].HasRank {
		out.HasRank = true
	}
	if t.Data != nil {
		out.Buffer = w.bufferIndex[string(t.Data)]
	}
	return out
}

// operandsOf returns the inputs and outputs of operator i of the edit.
func (w *editor) operandsOf(i int) (inputs, outputs []int) {
	op := &w.e.Operators[i]
	if op.Kind == Keep {
		old := &w.m.Subgraphs[w.e.Subgraph].Operators[op.Of]
		return old.Inputs, old.Outputs
	}
	return op.Inputs, op.Outputs
}

// link records operator i as producer of its outputs and consumer of its inputs.
func (w *editor) link(sub *tflite.Subgraph, i int) {
	inputs, outputs := w.operandsOf(i)
	for _, t := range outputs {
		if t >= 0 && sub.Tensors[t].Producer < 0 {
			sub.Tensors[t].Producer = i
		}
	}
	for _, t := range inputs {
		if t < 0 {
			continue
		}
		tensor := &sub.Tensors[t]
		if n := len(tensor.Consumers); n == 0 || tensor.Consumers[n-1] != i {
			tensor.Consumers = append(tensor.Consumers, i)
		}
	}
}

func (w *editor) auditOperators(got *tflite.Model) error {
	if len(got.Subgraphs) != len(w.m.Subgraphs) {
		return patch.Sharing("the edited file would have %d subgraphs", len(got.Subgraphs))
	}
	list := got.Subgraphs[w.e.Subgraph].Operators
	if len(list) != len(w.e.Operators) {
		return patch.Sharing("the edited file would have %d operators in subgraph %d", len(list), w.e.Subgraph)
	}
	for i := range list {
		if !w.sameAsEdit(got, i, &list[i]) {
			return patch.Sharing("operator %s of the edited file would not be what was asked for", patch.OperatorID(w.e.Subgraph, &list[i]))
		}
	}
	return nil
}

// sameAsEdit reports whether an operator of the new file equals operator i of the edit.
func (w *editor) sameAsEdit(got *tflite.Model, i int, op *tflite.Operator) bool {
	asked := &w.e.Operators[i]
	if builtin, added := asked.adds(); added {
		code := got.OperatorCodes[op.Code]
		inputs, outputs := w.operandsOf(i)
		table := op.Table()
		return code.Builtin == builtin && code.Version == w.version(asked) && code.Custom == "" &&
			slices.Equal(op.Inputs, inputs) && slices.Equal(op.Outputs, outputs) && len(op.Intermediates) == 0 &&
			table.BuiltinOptionsType() == builtins[builtin].options && table.BuiltinOptions2Type() == schema.BuiltinOptions2NONE &&
			table.CustomOptionsLength() == 0 && w.optionsAsked(asked, builtin, op)
	}
	if asked.Kind == Bare {
		table := op.Table()
		return op.Code == asked.Code && slices.Equal(op.Inputs, asked.Inputs) && slices.Equal(op.Outputs, asked.Outputs) && len(op.Intermediates) == 0 &&
			table.BuiltinOptionsType() == schema.BuiltinOptionsNONE && table.BuiltinOptions2Type() == schema.BuiltinOptions2NONE && table.CustomOptionsLength() == 0
	}
	want := w.m.Subgraphs[w.e.Subgraph].Operators[asked.Of]
	want.Index = i
	if asked.Kind == Keep {
		return patch.SameOperator(w.m, got, &want, op, w.Shift()) && patch.Position(&want)+w.Shift() == patch.Position(op)
	}
	// A piece equals its parent except for the tensors.
	want.Inputs, want.Outputs = op.Inputs, op.Outputs
	return slices.Equal(op.Inputs, asked.Inputs) && slices.Equal(op.Outputs, asked.Outputs) &&
		patch.SameOperator(w.m, got, &want, op, w.Shift()) && w.sameOptions(asked, &want, op)
}

// optionsAsked reports whether an added operator has the options that were asked for, and no others.
func (w *editor) optionsAsked(asked *Operator, code schema.BuiltinOperator, op *tflite.Operator) bool {
	var options flatbuffers.Table
	if table := op.Table(); !table.BuiltinOptions(&options) {
		return builtins[code].options == schema.BuiltinOptionsNONE
	}
	if code == schema.BuiltinOperatorRESHAPE {
		var reshape schema.ReshapeOptions
		reshape.Init(options.Bytes, options.Pos)
		same := reshape.NewShapeLength() == len(asked.Shape)
		for i := 0; same && i < len(asked.Shape); i++ {
			same = reshape.NewShape(i) == asked.Shape[i]
		}
		return same
	}
	spec := builtins[code].spec
	got, err := spec.fields(options, "")
	return err == nil && sameFields(got, spec.numbers(asked.optionsSet()))
}

// sameFields reports whether two tables have the same fields, in any order.
func sameFields(a, b []tableField) bool {
	byID := func(p, q tableField) int { return p.id - q.id }
	slices.SortStableFunc(a, byID)
	slices.SortStableFunc(b, byID)
	return slices.Equal(a, b)
}

// sameOptions reports whether a piece's options are its parent's table, or differ from it only in
// the options that were asked for.
func (w *editor) sameOptions(asked *Operator, parent, op *tflite.Operator) bool {
	var a, b flatbuffers.Table
	s, t := parent.Table(), op.Table()
	hasA, hasB := s.BuiltinOptions2(&a), t.BuiltinOptions2(&b)
	if hasA != hasB || hasA && int64(a.Pos)+w.Shift() != int64(b.Pos) {
		return false
	}
	hasA, hasB = s.BuiltinOptions(&a), t.BuiltinOptions(&b)
	changes := asked.optionsSet()
	if len(changes) == 0 {
		return hasA == hasB && (!hasA || int64(a.Pos)+w.Shift() == int64(b.Pos))
	}
	spec := builtins[w.m.OperatorCodes[parent.Code].Builtin].spec
	x, errA := spec.fields(a, "")
	y, errB := spec.fields(b, "")
	for _, c := range spec.numbers(changes) {
		x = set(x, c)
	}
	return errA == nil && errB == nil && hasA && hasB && sameFields(x, y)
}
