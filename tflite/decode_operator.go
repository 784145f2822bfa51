package tflite

import (
	"github.com/tflarena/tflarena/schema"

	flatbuffers "github.com/google/flatbuffers/go"
)

var (
	operatorCode          = fieldOf(tableOperator, "opcode_index")
	operatorInputs        = fieldOf(tableOperator, "inputs")
	operatorOutputs       = fieldOf(tableOperator, "outputs")
	operatorIntermediates = fieldOf(tableOperator, "intermediates")
	operatorCustomOptions = fieldOf(tableOperator, "custom_options")
	operatorLargeOffset   = fieldOf(tableOperator, "large_custom_options_offset")
)

func (d *decoder) operators(out *Subgraph, s *schema.SubGraph) error {
	out.Operators = make([]Operator, s.OperatorsLength())
	for i := range out.Operators {
		o := &out.Operators[i]
		s.Operators(&o.table, i)
		if err := d.operator(o, place{subgraph: out.Index, kind: "operators", index: i}, len(out.Tensors)); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) operator(o *Operator, where place, tensors int) (err error) {
	table := o.table.Table()
	code := int64(o.table.OpcodeIndex())
	if code >= int64(len(d.m.OperatorCodes)) {
		pos, _ := operatorCode.at(table)
		return outOfRange(where.field(operatorCode), pos, "operator code", code, len(d.m.OperatorCodes))
	}
	o.Index, o.Code, o.Name = where.index, int(code), d.codeNames[code]
	// Operators share the name of their code, but reports repeat it per operator.
	const fair = 64
	if !d.budget.spend(int64(max(len(d.m.OperatorCodes[code].Custom)-fair, 0)) / 4) {
		return d.spend(0, where.String(), int64(table.Pos))
	}
	_, o.Damaged = d.damaged[int64(table.Pos)]
	if o.Inputs, err = d.tensorIndexes(where, operatorInputs, table, -1, tensors); err != nil {
		return err
	}
	if o.Outputs, err = d.tensorIndexes(where, operatorOutputs, table, -1, tensors); err != nil {
		return err
	}
	if o.Intermediates, err = d.tensorIndexes(where, operatorIntermediates, table, 0, tensors); err != nil {
		return err
	}
	if err = d.largeOptions(o, where); err != nil {
		return err
	}
	return d.callees(o, where)
}

// largeOptions checks custom options stored after the flatbuffer.
func (d *decoder) largeOptions(o *Operator, where place) error {
	t := &o.table
	_, embedded := operatorCustomOptions.at(t.Table())
	if embedded || t.LargeCustomOptionsOffset() <= 1 || t.LargeCustomOptionsSize() == 0 {
		return nil
	}
	pos, _ := operatorLargeOffset.at(t.Table())
	_, err := d.absolute(where.field(operatorLargeOffset), pos,
		t.LargeCustomOptionsOffset(), t.LargeCustomOptionsSize(), "custom options")
	return err
}

// Table returns the operator's table in the file. It is verified completely, except for the
// options of a Damaged operator: use [Operator.Options] to read options.
func (o *Operator) Table() schema.Operator { return o.table }

// Options points into at the operator's builtin options. It returns true if the operator has
// verified options with this type tag.
func (o *Operator) Options(tag schema.BuiltinOptions, into flatbuffers.FlatBuffer) bool {
	if o.table.BuiltinOptionsType() != tag {
		return false
	}
	return o.options(unionBuiltinOptions, uint8(tag), o.table.BuiltinOptions, into)
}

// Options2 is [Operator.Options] for builtin_options_2, used by the newest operators.
func (o *Operator) Options2(tag schema.BuiltinOptions2, into flatbuffers.FlatBuffer) bool {
	if o.table.BuiltinOptions2Type() != tag {
		return false
	}
	return o.options(unionBuiltinOptions2, uint8(tag), o.table.BuiltinOptions2, into)
}

// options points into at the options returned by get. Options with a tag newer than the schema
// are not verified.
func (o *Operator) options(union unionID, tag uint8, get func(*flatbuffers.Table) bool, into flatbuffers.FlatBuffer) bool {
	var t flatbuffers.Table
	if _, known := unions[union].member(tag); !known || o.Damaged || !get(&t) {
		return false
	}
	into.Init(t.Bytes, t.Pos)
	return true
}
