package transform

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// window joins rows of a variable with new ones, keeps the last ones of them, and reshapes the result.
type window struct {
	joined, kept, to []int32
	axis             int32
	begin            []int32
	// relu reads the joined rows, too; scalar reads the variable, too, without dimensions.
	relu, scalar bool
}

func (w window) model(t *testing.T) *tflite.Model {
	d := newDraft(1, 1)
	size := func(shape []int32) int32 { return int32(elements(shape)) }
	x := d.input(f32, 1, size(w.joined)-size(w.kept))
	handle, value := d.variable(x, w.kept...)
	shape := append([]int32{}, w.joined...)
	shape[w.axis] -= w.kept[w.axis]
	joined := d.operator(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions,
		optionTable(schema.ConcatenationOptionsStart, schema.ConcatenationOptionsEnd, set(schema.ConcatenationOptionsAddAxis, w.axis)),
		d.like(x, w.joined...), value, d.reshape(x, shape...))
	step := make([]int32, len(w.joined))
	for i := range step {
		step[i] = 1
	}
	end := make([]int32, len(w.joined))
	for i := range end {
		end[i] = w.begin[i] + w.kept[i]
	}
	kept := d.operator(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions,
		optionTable(schema.StridedSliceOptionsStart, schema.StridedSliceOptionsEnd), d.like(x, w.kept...), joined, d.integers(w.begin), d.integers(end), d.integers(step))
	d.sub.Operators = append(d.sub.Operators, encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{handle, kept}})
	outputs := []int{d.relu(d.reshape(joined, w.to...))}
	if w.scalar {
		d.sub.Operators = append(d.sub.Operators, encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE, Inputs: []int{handle}, Outputs: []int{d.like(x)}})
	}
	if w.relu {
		outputs = append(outputs, d.relu(joined))
	}
	return d.parse(t, outputs...)
}

func TestReshapeBeforeConcatenation(t *testing.T) {
	last := []int32{0, 3, 0, 0}
	flat := []int32{1, 1, 1, 200}
	checkRule(t, &reshapeBeforeConcatenation,
		example{"a flat window", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: flat, axis: 1, begin: last}.model(t), lines(
			"CALL_ONCE >",
			"VAR_HANDLE > RESOURCE[]",
			"READ_VARIABLE RESOURCE[] > FLOAT32[1 1 1 80]",
			"RESHAPE FLOAT32[1 120] > FLOAT32[1 1 1 120]",
			"CONCATENATION FLOAT32[1 1 1 80] FLOAT32[1 1 1 120] > FLOAT32[1 1 1 200]",
			"STRIDED_SLICE FLOAT32[1 1 1 200] (0 0 0 120) (1 1 1 200) (1 1 1 1) > FLOAT32[1 1 1 80]",
			"ASSIGN_VARIABLE RESOURCE[] FLOAT32[1 1 1 80] >",
			"RELU FLOAT32[1 1 1 200] > FLOAT32[1 1 1 200]",
		)},
		example{"fewer dimensions", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: []int32{5, 40}, axis: 1, begin: last}.model(t), lines(
			"CALL_ONCE >",
			"VAR_HANDLE > RESOURCE[]",
			"READ_VARIABLE RESOURCE[] > FLOAT32[2 40]",
			"RESHAPE FLOAT32[1 120] > FLOAT32[3 40]",
			"CONCATENATION FLOAT32[2 40] FLOAT32[3 40] > FLOAT32[5 40]",
			"STRIDED_SLICE FLOAT32[5 40] (3 0) (5 40) (1 1) > FLOAT32[2 40]",
			"ASSIGN_VARIABLE RESOURCE[] FLOAT32[2 40] >",
			"RELU FLOAT32[5 40] > FLOAT32[5 40]",
		)},
		example{"another reader", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: flat, axis: 1, begin: last, relu: true}.model(t), ""},
		example{"a reader without dimensions", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: flat, axis: 1, begin: last, scalar: true}.model(t), ""},
		example{"another number of elements", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: []int32{1, 1, 1, 240}, axis: 1, begin: last}.model(t), ""},
		example{"interleaved", window{joined: []int32{1, 5, 4, 10}, kept: []int32{1, 5, 1, 10}, to: flat, axis: 2, begin: []int32{0, 0, 3, 0}}.model(t), ""},
		example{"other rows", window{joined: []int32{1, 5, 1, 40}, kept: []int32{1, 2, 1, 40}, to: []int32{1, 4, 50}, axis: 1, begin: last}.model(t), ""},
		example{"a part of rows", window{joined: []int32{1, 4, 1, 3}, kept: []int32{1, 2, 1, 3}, to: []int32{2, 6}, axis: 1, begin: []int32{0, 1, 0, 0}}.model(t), ""},
	)
}
