package op_test

import (
	"math"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

type dims = []int32

// blank returns n omitted inputs.
func blank(n int) []any { return make([]any, n) }

var lstmInputs = concat([]any{dims{2, 3, 5}, nil}, []any{dims{7, 5}, dims{7, 5}, dims{7, 5}, nil, dims{7, 4}, dims{7, 4}, dims{7, 4}}, blank(7), []any{dims{4, 7}, nil, dims{2, 4}, dims{2, 7}})

// Operators without regions, or for which a definition is not worthwhile; the formulas are from
// LiteRT's documentation.
var shapeSamples = []sample{
	{name: "LSTM", code: schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, in: lstmInputs, outputs: [][]int32{{2, 3, 4}}},
	{name: "basic LSTM", code: schema.BuiltinOperatorLSTM, in: []any{dims{2, 5}, dims{2, 7}, dims{28, 12}, dims{28}, dims{2, 7}}, outputs: [][]int32{{2, 7}, {2, 7}, {2, 12}, {2, 28}}},
	{
		name: "both ways", code: schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_LSTM, tag: schema.BuiltinOptionsBidirectionalSequenceLSTMOptions, options: []any{nil, nil, nil, true},
		in: concat(lstmInputs[:17], []any{nil, nil, dims{6, 5}}), outputs: [][]int32{{2, 3, 10}},
	},
	{name: "RNN", code: schema.BuiltinOperatorRNN, in: []any{dims{2, 5}, dims{7, 5}, dims{7, 7}, dims{7}, dims{2, 7}}, outputs: [][]int32{{2, 7}}},
	{
		name: "RNN both ways", code: schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_RNN, tag: schema.BuiltinOptionsBidirectionalSequenceRNNOptions,
		in: []any{dims{2, 3, 5}, dims{7, 5}, nil, nil, nil, dims{8, 5}}, outputs: [][]int32{{2, 3, 7}, {2, 3, 8}},
	},
	{name: "SVDF", code: schema.BuiltinOperatorSVDF, tag: schema.BuiltinOptionsSVDFOptions, options: []any{2}, in: []any{dims{2, 5}, dims{8, 5}, dims{8, 10}, nil, dims{2, 80}}, outputs: [][]int32{{2, 4}}},
	{name: "range", code: schema.BuiltinOperatorRANGE, in: []any{numbers{7}, numbers{-2}, numbers{-4}}, outputs: [][]int32{{3}}},
	{name: "fill", code: schema.BuiltinOperatorFILL, in: []any{numbers{2, 0, 3}, dims{}}, outputs: [][]int32{{2, 0, 3}}},
	{name: "rank", code: schema.BuiltinOperatorRANK, in: []any{dims{2, 3}}, outputs: [][]int32{{}}},
	{name: "shape", code: schema.BuiltinOperatorSHAPE, in: []any{dims{2, -1, 3}}, outputs: [][]int32{{3}}},
	{name: "shape for two", code: schema.BuiltinOperatorBROADCAST_ARGS, in: []any{dims{2}, dims{4}}, outputs: [][]int32{{4}}},
	{name: "multinomial", code: schema.BuiltinOperatorMULTINOMIAL, in: []any{dims{2, 9}, numbers{5}}, outputs: [][]int32{{2, 5}}},
	{name: "suppression", code: schema.BuiltinOperatorNON_MAX_SUPPRESSION_V5, in: []any{dims{90, 4}, dims{90}, numbers{7}, nil, nil, nil}, outputs: [][]int32{{7}, {7}, {}}},
	{name: "scatter", code: schema.BuiltinOperatorSCATTER_ND, in: []any{dims{2, 1}, dims{2, 5}, numbers{6, 5}}, outputs: [][]int32{{6, 5}}},
	{name: "dense", code: schema.BuiltinOperatorSPARSE_TO_DENSE, in: []any{dims{2}, numbers{6}, dims{2}, dims{}}, outputs: [][]int32{{6}}},
	{name: "segments", code: schema.BuiltinOperatorUNSORTED_SEGMENT_SUM, in: []any{dims{2, 3, 5}, dims{2, 3}, numbers{4}}, outputs: [][]int32{{4, 5}}},
	{name: "diagonal", code: schema.BuiltinOperatorMATRIX_DIAG, in: []any{dims{2, 3}}, outputs: [][]int32{{2, 3, 3}}},
	{name: "transform", code: schema.BuiltinOperatorRFFT2D, in: []any{dims{2, 6, 7}, numbers{8, 8}}, outputs: [][]int32{{2, 8, 5}}},
	{name: "hash", code: schema.BuiltinOperatorLSH_PROJECTION, tag: schema.BuiltinOptionsLSHProjectionOptions, options: []any{schema.LSHProjectionTypeDENSE}, in: []any{dims{3, 4}, dims{9}}, outputs: [][]int32{{12}}},
	{name: "lookup", code: schema.BuiltinOperatorHASHTABLE_LOOKUP, in: []any{dims{3}, dims{9}, dims{9, 4}}, outputs: [][]int32{{3, 4}, {3}}},
	{
		name: "dot", code: schema.BuiltinOperatorSTABLEHLO_DOT_GENERAL, tag2: schema.BuiltinOptions2StablehloDotGeneralOptions,
		options: []any{[]int64{0}, []int64{1}, []int64{2}, []int64{0}}, in: []any{dims{2, 3, 5}, dims{5, 2, 7}}, outputs: [][]int32{{2, 3, 7}},
	},
	{
		name: "pad inside", code: schema.BuiltinOperatorSTABLEHLO_PAD, tag2: schema.BuiltinOptions2StablehloPadOptions,
		options: []any{[]int64{1, 0}, []int64{-2, 3}, []int64{2, 0}}, in: []any{dims{4, 5}, dims{}}, outputs: [][]int32{{9, 8}},
	},
	{
		name: "stablehlo convolution", code: schema.BuiltinOperatorSTABLEHLO_CONVOLUTION, tag2: schema.BuiltinOptions2StablehloConvolutionOptions,
		options: []any{
			[]int64{2, 1},
			[]int64{1, 1, 0, 2},
			nil,
			[]int64{1, 2},
			nil, int64(0), int64(3),
			[]int64{1, 2},
			int64(2), int64(3),
			[]int64{0, 1},
			int64(0), int64(1),
			[]int64{2, 3},
			int64(1), int64(1),
		},
		in: []any{dims{2, 9, 10, 4}, dims{3, 2, 4, 6}}, outputs: [][]int32{{2, 6, 5, 10}},
	},
	{
		name: "stablehlo window", code: schema.BuiltinOperatorSTABLEHLO_REDUCE_WINDOW, tag2: schema.BuiltinOptions2StablehloReduceWindowOptions,
		options: []any{[]int64{3, 1}, []int64{2, 1}, []int64{2, 1}, nil, []int64{0, 1, 0, 0}, 1}, in: []any{dims{5, 4}, dims{}}, outputs: [][]int32{{4, 4}},
		calls: true,
	},
	{
		name: "stablehlo gather", code: schema.BuiltinOperatorSTABLEHLO_GATHER, tag2: schema.BuiltinOptions2StablehloGatherOptions,
		options: []any{[]int64{2, 3}, []int64{0}, []int64{1, 0}, int64(2), []int64{1, 2, 2}}, in: []any{dims{3, 4, 2}, dims{2, 3, 2}}, outputs: [][]int32{{2, 3, 2, 2}},
	},
	{name: "sort", code: schema.BuiltinOperatorSTABLEHLO_SORT, in: []any{dims{4, 5}, dims{4, 5}}, outputs: [][]int32{{4, 5}, {4, 5}}},
	{name: "scatter two", code: schema.BuiltinOperatorSTABLEHLO_SCATTER, in: []any{dims{4, 5}, dims{4}, dims{2, 1}, dims{2, 5}, dims{2}}, outputs: [][]int32{{4, 5}, {4}}},
	{name: "sum of pictures", code: schema.BuiltinOperatorADD_N, in: []any{dims{2, 3}, dims{2, 3}, dims{2, 3}}, outputs: [][]int32{{2, 3}}},
	{name: "scalar", code: schema.BuiltinOperatorRESHAPE, tag: schema.BuiltinOptionsReshapeOptions, options: []any{[]int32{0}}, in: []any{dims{1, 1}}, outputs: [][]int32{{}}},
}

func TestShapes(t *testing.T) {
	for _, c := range shapeSamples {
		m := c.model(t)
		got, err := op.Shapes(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0])
		if err != nil || !slices.EqualFunc(got, c.outputs, func(a, b []int32) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: %v (%v), want %v", c.name, got, err, c.outputs)
		}
	}
}

// Unknown shapes are errors.
func TestShapesErrors(t *testing.T) {
	large := int32(math.MaxInt32)
	for _, c := range []struct {
		sample
		want string
	}{
		{sample{code: schema.BuiltinOperatorRELU, in: []any{dims{2, -1}}}, "operator 0:0 RELU makes are not known: dimension 1 of its input 0 is not known"},
		{sample{code: schema.BuiltinOperatorADD, in: []any{dims{2, 3}, nil}}, "input 1 is missing"},
		{sample{code: schema.BuiltinOperatorADD, in: []any{dims{2, 3}, dims{4}}}, "the shapes [2 3] and [4] do not go together"},
		{sample{code: schema.BuiltinOperatorRESHAPE, in: []any{dims{2, 3}, dims{2}}}, "no options"},
		{sample{code: schema.BuiltinOperatorPAD, in: []any{dims{2, 3}, dims{2, 2}}}, "its input 1 is not a constant of integers"},
		{sample{code: schema.BuiltinOperatorRESHAPE, in: []any{dims{2, 3}, numbers{4, -1}}}, "6 elements do not fill the shape [4 -1]"},
		{sample{code: schema.BuiltinOperatorTILE, in: []any{dims{large}, numbers{2}}}, "its output would have the shape [4294967294]"},
		{sample{code: schema.BuiltinOperatorBROADCAST_TO, in: []any{dims{1}, numbers{large, large, large}}}, "more elements than can be counted"},
		{sample{code: schema.BuiltinOperatorWHERE, in: []any{dims{9}}}, "no formula is known"},
		{sample{code: schema.BuiltinOperatorSOFTMAX, in: []any{make(dims, 99)}}, "the shape of its input 0 is not known"},
	} {
		c.name, c.outputs = "errors", [][]int32{{1}}
		m := c.model(t)
		_, err := op.Shapes(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0])
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.code, err, c.want)
		}
	}
	m := sample{code: schema.BuiltinOperatorRELU, in: []any{dims{2}}, outputs: [][]int32{{2}, {2}}}.model(t)
	if _, err := op.Shapes(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0]); err == nil || !strings.HasSuffix(err.Error(), "it has 2 outputs, not 1") {
		t.Error(err)
	}
}

func concat(lists ...[]any) (all []any) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}
