package edit

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// checkEdit returns an error if the edit does not fit the model.
func checkEdit(m *tflite.Model, e *Edit) error {
	if e.Subgraph < 0 || e.Subgraph >= len(m.Subgraphs) {
		return fmt.Errorf("the model has %d subgraphs", len(m.Subgraphs))
	}
	sub := &m.Subgraphs[e.Subgraph]
	if int64(len(sub.Tensors))+int64(len(e.Tensors)) > math.MaxInt32 {
		return fmt.Errorf("%d tensors added to %d are too many", len(e.Tensors), len(sub.Tensors))
	}
	for i := range e.Tensors {
		if err := checkAdded(m, e, &e.Tensors[i]); err != nil {
			return fmt.Errorf("added tensor %d: %w", i, err)
		}
	}
	if err := checkReshaped(m, e); err != nil {
		return err
	}
	if err := checkRemoved(m, e); err != nil {
		return err
	}
	if md := e.Metadata; md != nil && patch.Ours(md.Name) {
		return fmt.Errorf("metadata %q with %s", md.Name, units.ExactBytes(len(md.Data)))
	}
	for i := range e.Operators {
		if err := checkOperator(m, e, &e.Operators[i]); err != nil {
			return fmt.Errorf("operator %d: %w", i, err)
		}
	}
	if e.empty(m) {
		return nil // regardless of the file
	}
	return checkFlow(m, e)
}

// checkAdded checks the fields of an added tensor.
func checkAdded(m *tflite.Model, e *Edit, t *Tensor) error {
	sub := &m.Subgraphs[e.Subgraph]
	if t.Like < -1 || t.Like >= len(sub.Tensors) {
		return fmt.Errorf("like tensor %d, but the subgraph has %d", t.Like, len(sub.Tensors))
	}
	for _, dim := range t.Shape {
		if dim <= 0 {
			return fmt.Errorf("shape %v has the dimension %d", t.Shape, dim)
		}
	}
	if err := checkQuantisation(t); err != nil {
		return err
	}
	if r := t.Channels; r != nil && (r.From < 0 || r.From >= r.To) {
		return fmt.Errorf("channels [%d, %d) are none", r.From, r.To)
	}
	kind := t.kind(m, e.Subgraph)
	if _, known := schema.EnumNamesTensorType[kind]; !known && t.Like < 0 {
		return fmt.Errorf("type %d is not known", kind)
	}
	size, sized := (&tflite.Tensor{Type: kind, Shape: t.Shape}).PackedBytes()
	if !sized {
		return fmt.Errorf("%s%v has no size", kind, t.Shape)
	}
	return checkData(m, t, size)
}

// checkQuantisation checks an added tensor's own quantisation.
func checkQuantisation(t *Tensor) error {
	q := t.Quantisation
	switch {
	case q == nil:
		return nil
	case t.Like >= 0:
		return fmt.Errorf("it has both a quantisation of its own and that of tensor %d", t.Like)
	case len(q.Scales) == 0 || len(q.Scales) != len(q.Zeros) || q.Dimension < 0 || q.Dimension >= max(len(t.Shape), 1):
		return fmt.Errorf("a quantisation of %d scales and %d zero points in dimension %d of %v", len(q.Scales), len(q.Zeros), q.Dimension, t.Shape)
	case len(q.Scales) > 1 && len(q.Scales) != int(t.Shape[q.Dimension]):
		return fmt.Errorf("%d scales in dimension %d of %v", len(q.Scales), q.Dimension, t.Shape)
	}
	return nil
}

// checkData checks the data of an added tensor of size bytes.
func checkData(m *tflite.Model, t *Tensor, size int64) error {
	switch {
	case t.Buffer < 0 || t.Buffer > 0 && t.Buffer >= len(m.Buffers):
		return fmt.Errorf("buffer %d, the model has %d", t.Buffer, len(m.Buffers))
	case t.Buffer > 0 && t.Data != nil:
		return fmt.Errorf("it has both data of its own and buffer %d", t.Buffer)
	case t.Data != nil && int64(len(t.Data)) != size:
		return fmt.Errorf("data of %s for a tensor that takes %s", units.ExactBytes(len(t.Data)), units.ExactBytes(size))
	case t.Buffer > 0 && int64(len(m.Buffers[t.Buffer].Data)) < size:
		return fmt.Errorf("buffer %d has %s, but the tensor takes %s", t.Buffer, units.ExactBytes(len(m.Buffers[t.Buffer].Data)), units.ExactBytes(size))
	}
	if t.Buffer > 0 {
		for _, md := range m.Metadata {
			if md.Name == compressionMetadata {
				return &patch.RefusedError{Reason: fmt.Sprintf("the metadata %q may say how buffer %d is compressed, but not for a tensor that is added", md.Name, t.Buffer)}
			}
		}
	}
	return nil
}

// compressionMetadata is the name of the metadata that lists the tensors whose buffers hold
// compressed weights.
const compressionMetadata = "COMPRESSION_METADATA"

// checkOperator checks the indexes of an operator.
func checkOperator(m *tflite.Model, e *Edit, op *Operator) error {
	sub := &m.Subgraphs[e.Subgraph]
	switch op.Kind {
	case Keep, Piece, Same, Valid:
		if op.Of < 0 || op.Of >= len(sub.Operators) {
			return fmt.Errorf("operator %d of the file, but the subgraph has %d", op.Of, len(sub.Operators))
		}
	case Pad, Slice, StridedSlice, Concatenation:
	case New:
		if !CanAdd(op.Builtin) {
			return fmt.Errorf("%s cannot be added", op.Builtin)
		}
	case Bare:
		if op.Code < 0 || op.Code >= len(m.OperatorCodes) || !bare[m.OperatorCodes[op.Code].Builtin] {
			return fmt.Errorf("operator code %d is not that of a PAD or PADV2 of the file", op.Code)
		}
	default:
		return fmt.Errorf("kind %d is not known", op.Kind)
	}
	if op.Kind == Keep {
		return nil
	}
	n := len(sub.Tensors) - e.Removed + len(e.Tensors)
	for _, t := range op.Inputs {
		if t < -1 || t >= n {
			return fmt.Errorf("input tensor %d, there are %d", t, n)
		}
	}
	for _, t := range op.Outputs {
		if t < 0 || t >= n {
			return fmt.Errorf("output tensor %d, there are %d", t, n)
		}
	}
	switch op.Kind {
	case Piece, Same, Valid:
		return checkPiece(m, e, op)
	case Bare:
		return nil
	}
	return checkNew(op)
}

// checkNew checks the options and the number of inputs and outputs of an operator that the edit adds.
func checkNew(op *Operator) error {
	code, _ := op.adds()
	n := builtins[code]
	switch {
	case len(op.Outputs) != 1 && code != schema.BuiltinOperatorSPLIT || len(op.Outputs) == 0:
		return fmt.Errorf("%s cannot have %d outputs", code, len(op.Outputs))
	case len(op.Inputs) < n.least || len(op.Inputs) > n.most:
		return fmt.Errorf("%s cannot have %d inputs", code, len(op.Inputs))
	case (code == schema.BuiltinOperatorRESHAPE) != (len(op.Shape) > 0):
		return fmt.Errorf("%s cannot have the shape %v", code, op.Shape)
	case op.Axis != int(int32(op.Axis)):
		return fmt.Errorf("axis %d is out of range", op.Axis)
	}
	for _, t := range op.Inputs {
		if t < 0 {
			return fmt.Errorf("%s cannot do without an input", code)
		}
	}
	return checkOptions(code, op.Options)
}

// checkOptions checks that an operator has the fields of options, and that the numbers fit.
func checkOptions(code schema.BuiltinOperator, options []Option) error {
	spec := builtins[code].spec
	for _, o := range options {
		switch {
		case o.Field < 0 || o.Field >= len(spec):
			return fmt.Errorf("the options of %s have no field %d", code, o.Field)
		case spec[o.Field] == '1' && o.Value != int64(int8(o.Value)) || o.Value != int64(int32(o.Value)):
			return fmt.Errorf("option %d of %s cannot be %d", o.Field, code, o.Value)
		}
	}
	return nil
}

// checkPiece checks that an operator of the file can be copied with other tensors.
func checkPiece(m *tflite.Model, e *Edit, op *Operator) error {
	parent := &m.Subgraphs[e.Subgraph].Operators[op.Of]
	name := patch.OperatorID(e.Subgraph, parent)
	table := parent.Table()
	switch n := table.MutatingVariableInputsLength(); {
	case parent.Damaged || hasUnknownOptions(parent):
		return &patch.RefusedError{Reason: fmt.Sprintf("the options of operator %s cannot be read, and it cannot be cut", name)}
	case n > 0 && n != len(op.Inputs):
		return &patch.RefusedError{Reason: fmt.Sprintf("operator %s says of %d inputs which it changes, and cannot have %d", name, n, len(op.Inputs))}
	case (op.Kind == Same || op.Kind == Valid) && !builtins[m.OperatorCodes[parent.Code].Builtin].padded:
		return fmt.Errorf("operator %s of the file: %s has no padding that could be changed", name, parent.Name)
	case len(op.optionsSet()) > 0:
		if _, err := optionsOf(m, parent); err != nil {
			return fmt.Errorf("operator %s of the file: %w", name, err)
		}
	}
	return checkOptions(m.OperatorCodes[parent.Code].Builtin, op.optionsSet())
}

// hasUnknownOptions reports whether an operator has options of a type unknown to the schema.
func hasUnknownOptions(op *tflite.Operator) bool {
	table := op.Table()
	_, one := patch.FieldAt(table.Table(), operatorOptionsField)
	_, two := patch.FieldAt(table.Table(), operatorOptions2Field)
	_, knownOne := schema.EnumNamesBuiltinOptions[table.BuiltinOptionsType()]
	_, knownTwo := schema.EnumNamesBuiltinOptions2[table.BuiltinOptions2Type()]
	return one && (!knownOne || table.BuiltinOptionsType() == schema.BuiltinOptionsNONE) ||
		two && (!knownTwo || table.BuiltinOptions2Type() == schema.BuiltinOptions2NONE)
}
