package edit

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// operator drafts the table of an operator that is not [Keep].
func (w *editor) operator(op *Operator) (*part, error) {
	switch {
	case op.Kind.ofFile():
		return w.piece(op)
	case op.Kind == Bare:
		return w.table(layerTables, append(w.operands(op), number(operatorCodeField, 4, int64(op.Code)))), nil
	}
	n := newOperators[op.Kind]
	var options []tableField
	if op.Kind == Concatenation {
		options = []tableField{number(0, 4, int64(int32(op.Axis)))}
	}
	fields := append(w.operands(op),
		number(operatorCodeField, 4, int64(w.code(op))), number(operatorTypeField, 1, int64(n.options)),
		reference(operatorOptionsField, w.table(layerOptions, options)))
	return w.table(layerTables, fields), nil
}

func (w *editor) operands(op *Operator) []tableField {
	return []tableField{
		reference(operatorInputsField, w.indexes(op.Inputs)), reference(operatorOutputsField, w.indexes(op.Outputs)),
	}
}

// piece drafts an operator that shares everything except its tensors with one of the file;
// [Same] and [Valid] have their own options too.
func (w *editor) piece(op *Operator) (*part, error) {
	parent := &w.m.Subgraphs[w.e.Subgraph].Operators[op.Of]
	table := parent.Table()
	fields, err := operatorSpec.fields(table.Table(), "operator "+patch.OperatorID(w.e.Subgraph, parent))
	if err != nil {
		return nil, err
	}
	for _, c := range w.operands(op) {
		fields = set(fields, c)
	}
	for i := range fields {
		c := &fields[i]
		c.moves = c.id == patch.LargeOptionsOffset && c.bits > 1 && c.bits <= uint64(len(w.m.Data))
	}
	if padding, changed := paddings[op.Kind]; changed {
		options, err := w.paddedOptions(parent, padding)
		if err != nil {
			return nil, err
		}
		fields = set(fields, reference(operatorOptionsField, options))
	}
	return w.table(layerTables, fields), nil
}

// paddings are the paddings of the kinds that change it.
var paddings = map[Kind]schema.Padding{Same: schema.PaddingSAME, Valid: schema.PaddingVALID}

// bare are the operators whose options have no fields.
var bare = map[schema.BuiltinOperator]bool{schema.BuiltinOperatorPAD: true, schema.BuiltinOperatorPADV2: true}

// paddedSpecs describes the options of the operators whose padding can be changed. Padding is
// field 0 of each.
var paddedSpecs = map[schema.BuiltinOperator]struct {
	options schema.BuiltinOptions
	spec    tableSpec
}{
	schema.BuiltinOperatorCONV_2D:           {schema.BuiltinOptionsConv2DOptions, "1441441"},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {schema.BuiltinOptionsDepthwiseConv2DOptions, "1444144"},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {schema.BuiltinOptionsPool2DOptions, "144441"},
	schema.BuiltinOperatorMAX_POOL_2D:       {schema.BuiltinOptionsPool2DOptions, "144441"},
	schema.BuiltinOperatorL2_POOL_2D:        {schema.BuiltinOptionsPool2DOptions, "144441"},
}

const paddingField = 0

// paddedOptions drafts the options of an operator with another padding.
func (w *editor) paddedOptions(parent *tflite.Operator, padding schema.Padding) (*part, error) {
	name := patch.OperatorID(w.e.Subgraph, parent)
	table, err := optionsOf(w.m, parent)
	if err != nil {
		return nil, fmt.Errorf("operator %s: %w", name, err)
	}
	spec := paddedSpecs[w.m.OperatorCodes[parent.Code].Builtin].spec
	fields, err := spec.fields(table, "the options of operator "+name)
	if err != nil {
		return nil, err
	}
	return w.table(layerOptions, set(fields, number(paddingField, 1, int64(padding)))), nil
}

// optionsOf returns the options of an operator whose padding can be changed, or an error.
func optionsOf(m *tflite.Model, op *tflite.Operator) (options flatbuffers.Table, err error) {
	known, ok := paddedSpecs[m.OperatorCodes[op.Code].Builtin]
	if !ok {
		return options, fmt.Errorf("%s has no padding that could be changed", op.Name)
	}
	table := op.Table()
	if table.BuiltinOptionsType() != known.options || op.Damaged || !table.BuiltinOptions(&options) {
		return options, &patch.RefusedError{Reason: fmt.Sprintf("%s has no options of its kind that could be read", op.Name)}
	}
	return options, nil
}

// newOperators describes the kinds of operators that an edit may add.
var newOperators = map[Kind]struct {
	builtin schema.BuiltinOperator
	options schema.BuiltinOptions
	// inputs is the required number of inputs, 0 for one or more.
	inputs int
	// Operator versions for more dimensions than 4, INT16, INT8 and BOOL, 1 otherwise, as
	// LiteRT's converter writes them.
	dims, int16, int8, bool int32
}{
	Pad:           {builtin: schema.BuiltinOperatorPAD, options: schema.BuiltinOptionsPadOptions, inputs: 2, dims: 4, int16: 3, int8: 2, bool: 1},
	Slice:         {builtin: schema.BuiltinOperatorSLICE, options: schema.BuiltinOptionsSliceOptions, inputs: 3, dims: 5, int16: 4, int8: 2, bool: 1},
	StridedSlice:  {builtin: schema.BuiltinOperatorSTRIDED_SLICE, options: schema.BuiltinOptionsStridedSliceOptions, inputs: 4, dims: 4, int16: 1, int8: 2, bool: 3},
	Concatenation: {builtin: schema.BuiltinOperatorCONCATENATION, options: schema.BuiltinOptionsConcatenationOptions, inputs: 0, dims: 1, int16: 3, int8: 2, bool: 1},
}

// version returns the version of a new operator, determined by its first input.
func (w *editor) version(op *Operator) int32 {
	n := newOperators[op.Kind]
	sub := &w.m.Subgraphs[w.e.Subgraph]
	var kind schema.TensorType
	var dims int
	if t := op.Inputs[0]; t < len(sub.Tensors) {
		kind, dims = sub.Tensors[t].Type, len(sub.Tensors[t].Shape)
	} else {
		added := &w.e.Tensors[t-len(sub.Tensors)]
		kind, dims = added.kind(w.m, w.e.Subgraph), len(added.Shape)
	}
	const rank = 4
	switch {
	case dims > rank && n.dims > 1:
		return n.dims
	case kind == schema.TensorTypeINT16:
		return n.int16
	case kind == schema.TensorTypeINT8:
		return n.int8
	case kind == schema.TensorTypeBOOL:
		return n.bool
	}
	return 1
}

// code returns the index of a new operator's code, existing or added.
func (w *editor) code(op *Operator) int {
	want := tflite.OperatorCode{Builtin: newOperators[op.Kind].builtin, Version: w.version(op)}
	want.NewField = want.Builtin
	same := func(c tflite.OperatorCode) bool {
		return c.Builtin == want.Builtin && c.Version == want.Version && c.Custom == ""
	}
	if i := slices.IndexFunc(w.m.OperatorCodes, same); i >= 0 {
		return i
	}
	i := slices.IndexFunc(w.codes, same)
	if i < 0 {
		i = len(w.codes)
		w.codes = append(w.codes, want)
	}
	return len(w.m.OperatorCodes) + i
}

// operatorCode drafts an added code. Old runtimes read the old field alone; it can hold all
// codes that an edit adds.
func (w *editor) operatorCode(c tflite.OperatorCode) *part {
	return w.table(layerTables, []tableField{
		number(0, 1, int64(c.Builtin)), number(2, 4, int64(c.Version)), number(3, 4, int64(c.Builtin)),
	})
}
