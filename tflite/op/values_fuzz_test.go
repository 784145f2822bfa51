package op_test

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// counted are the evaluated operators, with their options.
var counted = []struct {
	code schema.BuiltinOperator
	tag  schema.BuiltinOptions
}{
	{schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions},
	{schema.BuiltinOperatorRANK, 0},
	{schema.BuiltinOperatorRESHAPE, 0},
	{schema.BuiltinOperatorSQUEEZE, 0},
	{schema.BuiltinOperatorEXPAND_DIMS, 0},
	{schema.BuiltinOperatorCAST, 0},
	{schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions},
	{schema.BuiltinOperatorSLICE, 0},
	{schema.BuiltinOperatorREVERSE_V2, 0},
	{schema.BuiltinOperatorTRANSPOSE, 0},
	{schema.BuiltinOperatorUNPACK, schema.BuiltinOptionsUnpackOptions},
	{schema.BuiltinOperatorSPLIT, schema.BuiltinOptionsSplitOptions},
	{schema.BuiltinOperatorSPLIT_V, schema.BuiltinOptionsSplitVOptions},
	{schema.BuiltinOperatorBROADCAST_TO, 0},
	{schema.BuiltinOperatorGATHER, schema.BuiltinOptionsGatherOptions},
	{schema.BuiltinOperatorPACK, schema.BuiltinOptionsPackOptions},
	{schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions},
	{schema.BuiltinOperatorFILL, 0},
	{schema.BuiltinOperatorRANGE, 0},
	{schema.BuiltinOperatorBROADCAST_ARGS, 0},
	{schema.BuiltinOperatorADD, 0},
	{schema.BuiltinOperatorSUB, 0},
	{schema.BuiltinOperatorMUL, 0},
	{schema.BuiltinOperatorMAXIMUM, 0},
	{schema.BuiltinOperatorMINIMUM, 0},
	{schema.BuiltinOperatorDIV, 0},
	{schema.BuiltinOperatorFLOOR_DIV, 0},
	{schema.BuiltinOperatorFLOOR_MOD, 0},
	{schema.BuiltinOperatorREDUCE_PROD, schema.BuiltinOptionsReducerOptions},
	{schema.BuiltinOperatorSUM, schema.BuiltinOptionsReducerOptions},
	{schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOptionsReducerOptions},
	{schema.BuiltinOperatorREDUCE_MIN, schema.BuiltinOptionsReducerOptions},
}

// FuzzValues gives other shapes to graphs of these operators with mismatched operands.
func FuzzValues(f *testing.F) {
	for i := range 60 {
		var recipe []byte
		for k := range 40 + 10*i {
			recipe = append(recipe, byte((k*k+7)*(i+3)>>(k%5)))
		}
		f.Add(recipe)
	}
	f.Fuzz(asksValues)
}

func asksValues(t *testing.T, recipe []byte) {
	next := func(n int) int {
		if len(recipe) == 0 {
			return 0
		}
		x := int(recipe[0]) % n
		recipe = recipe[1:]
		return x
	}
	shape := func() []int32 {
		list := make([]int32, next(4))
		for i := range list {
			list[i] = int32(next(5)) - int32(next(9)/8)
		}
		return list
	}
	g := newShapeGraph(1, 2, int32(next(5)), 3)
	for range 4 {
		list := make([]int32, next(4))
		for i := range list {
			list[i] = int32(next(9)) - 3
		}
		if g.numbers(list...); len(list) == 1 && next(2) == 0 {
			g.sub.Tensors[len(g.sub.Tensors)-1].Shape = []int32{}
		}
	}
	kinds := []schema.TensorType{schema.TensorTypeINT32, schema.TensorTypeINT64, schema.TensorTypeINT32, schema.TensorTypeFLOAT32}
	for len(recipe) > 0 && len(g.sub.Operators) < 40 {
		c := counted[next(len(counted))]
		var inputs []int
		for range next(4) {
			inputs = append(inputs, next(len(g.sub.Tensors)))
		}
		options := make([]any, 5)
		for i := range options {
			options[i] = int32(next(7)) - 2
		}
		if c.tag == schema.BuiltinOptionsReducerOptions {
			options = []any{next(2) == 0}
		}
		g.add(c.code, c.tag, options, 1+next(2), encode.Tensor{Type: kinds[next(len(kinds))], Shape: shape(), HasRank: next(2) == 0}, inputs...)
	}
	m, err := tflite.Parse(g.data(len(g.sub.Tensors)-1), "values")
	if err != nil {
		return
	}
	checkSizes(t, m, 0)
	_, _ = op.WithShapes(m, map[string][]int32{"x": {2, 2, 3, 1}}) // it may have no answer
}
