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
	code, _ := op.adds()
	fields := append(w.operands(op), number(operatorCodeField, 4, int64(w.code(op))))
	if known := builtins[code]; known.options != schema.BuiltinOptionsNONE {
		options := known.spec.numbers(op.optionsSet())
		if code == schema.BuiltinOperatorRESHAPE {
			options = []tableField{reference(newShapeField, w.ints(op.Shape))}
		}
		fields = append(fields, number(operatorTypeField, 1, int64(known.options)), reference(operatorOptionsField, w.table(layerOptions, options)))
	}
	return w.table(layerTables, fields), nil
}

// optionsSet returns the options that an operator sets, by its kind or by itself.
func (op *Operator) optionsSet() []Option {
	switch op.Kind {
	case Same:
		return []Option{{paddingField, int64(schema.PaddingSAME)}}
	case Valid:
		return []Option{{paddingField, int64(schema.PaddingVALID)}}
	case Concatenation:
		return []Option{{0, int64(int32(op.Axis))}}
	case Piece, New:
		return op.Options
	}
	return nil
}

// numbers returns fields of a table with the given numbers.
func (spec tableSpec) numbers(list []Option) (fields []tableField) {
	for _, o := range list {
		fields = set(fields, number(o.Field, int64(spec[o.Field]-'0'), o.Value))
	}
	return fields
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
	if changes := op.optionsSet(); len(changes) > 0 {
		options, err := w.changedOptions(parent, changes)
		if err != nil {
			return nil, err
		}
		fields = set(fields, reference(operatorOptionsField, options))
	}
	return w.table(layerTables, fields), nil
}

// paddingField is the id of the padding in the options of each operator that has one.
const paddingField = 0

// newShapeField is the id of the shape in the options of RESHAPE.
const newShapeField = 0

// changedOptions drafts the options of an operator of the file with other numbers in some fields.
func (w *editor) changedOptions(parent *tflite.Operator, changes []Option) (*part, error) {
	name := patch.OperatorID(w.e.Subgraph, parent)
	table, err := optionsOf(w.m, parent)
	if err != nil {
		return nil, fmt.Errorf("operator %s: %w", name, err)
	}
	spec := builtins[w.m.OperatorCodes[parent.Code].Builtin].spec
	fields, err := spec.fields(table, "the options of operator "+name)
	if err != nil {
		return nil, err
	}
	for _, c := range spec.numbers(changes) {
		fields = set(fields, c)
	}
	return w.table(layerOptions, fields), nil
}

// optionsOf returns the options of an operator that can be changed, or an error.
func optionsOf(m *tflite.Model, op *tflite.Operator) (options flatbuffers.Table, err error) {
	known := builtins[m.OperatorCodes[op.Code].Builtin]
	if known.spec == "" {
		return options, fmt.Errorf("%s has no options that could be changed", op.Name)
	}
	table := op.Table()
	if table.BuiltinOptionsType() != known.options || op.Damaged || !table.BuiltinOptions(&options) {
		return options, &patch.RefusedError{Reason: fmt.Sprintf("%s has no options of its kind that could be read", op.Name)}
	}
	return options, nil
}

// version returns the version of a new operator, determined by its first input.
func (w *editor) version(op *Operator) int32 {
	code, _ := op.adds()
	n := builtins[code]
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
		return max(n.int16, 1)
	case kind == schema.TensorTypeINT8:
		return max(n.int8, 1)
	case kind == schema.TensorTypeBOOL:
		return max(n.bool, 1)
	}
	return max(n.plain, 1)
}

// code returns the index of a new operator's code, existing or added.
func (w *editor) code(op *Operator) int {
	builtin, _ := op.adds()
	want := tflite.OperatorCode{Builtin: builtin, NewField: builtin, Version: w.version(op)}
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
