package op_test

import (
	"math"
	"path/filepath"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestMACsByHand compares with sums derived layer by layer from the networks' shapes: products
// of the output positions, the filter's window and its channels, with the input positions for a
// transposed convolution.
func TestMACsByHand(t *testing.T) {
	const fsrcnn = 270 * 480 * (56*5*5*3 + 16*5*5*56 + 12*3*3*16 + 3*12*3*3*12 + 56*3*3*12 + // convolutions
		3*9*9*56) // the transposed one
	const lyragan = 512*3*16 + // the first convolution
		4*1*(64*4*128) + 2*2*(64*4*128) + 4*(64*10*128) + 20*(1*64*64) + // transposed
		3*2*256*3 + 3*4*128*3 + 3*20*64*3 + // depthwise
		2*(3*256*256+3*256*64) + 4*(3*128*128+3*128*64) + 20*(6*64*64) // 1 by 1
	const dpNet = 12*32*128*128 + 380*64*64 + 380*64*128 + 4*32*128*128 + // fully connected
		128*(32*5*3) + 64*(32*3*32) + 32*(32*3*32) + 32*(64*3*32) + 32*(128*3*64) + // convolutions
		32*(64*3*256) + 32*(32*3*128) + 32*(32*3*64) + 64*(32*3*64) + 128*(2*5*64) + 128*(1*5*64) // transposed
	for name, want := range map[string]int64{
		"nets/fsrcnn_x4.tflite": fsrcnn, "corner/lyragan.tflite": lyragan, "nets/dp_net.tflite": dpNet,
	} {
		m, err := tflite.Open(filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if got := op.RunMACs(m, 0); got != want {
			t.Errorf("%s: %d multiply-accumulates, by hand %d", name, got, want)
		}
	}
}

// TestMACsOfOneOperator has each operator once, small enough to count by hand.
func TestMACsOfOneOperator(t *testing.T) {
	type shapes = [][]int32
	lstm := make(shapes, 24) // nil is an absent input
	lstm[0] = []int32{2, 3, 5}
	for i := 1; i <= 4; i++ {
		lstm[i], lstm[i+4] = []int32{7, 5}, []int32{7, 4}
	}
	lstm[16] = []int32{4, 7}
	both := make(shapes, 48)
	copy(both, lstm[:17])
	copy(both[18:], lstm[1:17])
	aux := append(shapes{}, both...)
	aux[39], aux[40] = []int32{2, 3, 6}, []int32{7, 6}
	peephole := append(shapes{}, lstm...)
	peephole[9], peephole[1] = []int32{7}, nil

	for _, c := range []struct {
		name    string
		builtin schema.BuiltinOperator
		in      shapes
		out     []int32
		options func(*encode.Operator)
		want    int64
	}{
		{"conv", schema.BuiltinOperatorCONV_2D, shapes{{1, 4, 5, 3}, {6, 2, 3, 3}}, []int32{1, 3, 3, 6}, nil, 3 * 3 * 6 * 2 * 3 * 3},
		{"batch", schema.BuiltinOperatorCONV_2D, shapes{{2, 4, 5, 3}, {6, 2, 3, 3}}, []int32{2, 3, 3, 6}, nil, 2 * 3 * 3 * 6 * 2 * 3 * 3},
		{"groups", schema.BuiltinOperatorCONV_2D, shapes{{1, 4, 5, 6}, {6, 2, 3, 2}}, []int32{1, 3, 3, 6}, nil, 3 * 3 * 6 * 2 * 3 * 2},
		{"depthwise", schema.BuiltinOperatorDEPTHWISE_CONV_2D, shapes{{1, 4, 5, 3}, {1, 2, 3, 6}}, []int32{1, 3, 3, 6}, nil, 3 * 3 * 6 * 2 * 3},
		{"3-D", schema.BuiltinOperatorCONV_3D, shapes{{1, 4, 4, 4, 3}, {2, 2, 3, 3, 5}}, []int32{1, 3, 3, 2, 5}, nil, 3 * 3 * 2 * 5 * 2 * 2 * 3 * 3},
		{"transposed", schema.BuiltinOperatorTRANSPOSE_CONV, shapes{{4}, {6, 2, 3, 5}, {1, 4, 4, 5}}, []int32{1, 8, 8, 6}, nil, 4 * 4 * 5 * 6 * 2 * 3},
		{"3-D transposed", schema.BuiltinOperatorCONV_3D_TRANSPOSE, shapes{{5}, {2, 2, 3, 6, 5}, {1, 4, 4, 4, 5}}, []int32{1, 8, 8, 8, 6}, nil, 4 * 4 * 4 * 5 * 2 * 2 * 3 * 6},
		{"StableHLO convolution", schema.BuiltinOperatorSTABLEHLO_CONVOLUTION, shapes{{1, 4, 5, 3}, {2, 3, 3, 6}}, []int32{1, 3, 3, 6}, outputFeature(3), 3 * 3 * 6 * 2 * 3 * 3},
		{"fully connected", schema.BuiltinOperatorFULLY_CONNECTED, shapes{{2, 5}, {7, 5}}, []int32{2, 7}, nil, 2 * 7 * 5},
		{"rank 4", schema.BuiltinOperatorFULLY_CONNECTED, shapes{{2, 3, 4, 5}, {7, 5}, nil}, []int32{2, 3, 4, 7}, nil, 2 * 3 * 4 * 7 * 5},
		{"flattened", schema.BuiltinOperatorFULLY_CONNECTED, shapes{{2, 3, 5}, {7, 15}}, []int32{2, 7}, nil, 2 * 7 * 15},
		{"matmul", schema.BuiltinOperatorBATCH_MATMUL, shapes{{2, 3, 5}, {2, 5, 7}}, []int32{2, 3, 7}, nil, 2 * 3 * 7 * 5},
		{"adj_x", schema.BuiltinOperatorBATCH_MATMUL, shapes{{2, 5, 3}, {2, 5, 7}}, []int32{2, 3, 7}, adjX, 2 * 3 * 7 * 5},
		{"broadcast", schema.BuiltinOperatorBATCH_MATMUL, shapes{{3, 5}, {4, 5, 7}}, []int32{4, 3, 7}, nil, 4 * 3 * 7 * 5},
		{"dot general", schema.BuiltinOperatorSTABLEHLO_DOT_GENERAL, shapes{{2, 3, 5, 6}, {2, 5, 6, 7}}, []int32{2, 3, 7}, contracting(2, 3), 2 * 3 * 7 * 5 * 6},
		{"sparse lookup", schema.BuiltinOperatorEMBEDDING_LOOKUP_SPARSE, shapes{{9}, {9, 2}, {2}, {9}, {100, 3, 4}}, []int32{5, 3, 4}, nil, 9 * 3 * 4},
		{"basic LSTM", schema.BuiltinOperatorLSTM, shapes{{2, 5}, {2, 7}, {28, 12}, {28}, {2, 7}}, []int32{2, 7}, nil, 2 * 28 * 12},
		{"LSTM", schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, lstm, []int32{2, 3, 4}, nil, 2 * 3 * (4*7*5 + 4*7*4 + 4*7)},
		{"full LSTM", schema.BuiltinOperatorLSTM, append(shapes{{2, 5}}, lstm[1:]...), []int32{2, 4}, nil, 2 * (4*7*5 + 4*7*4 + 4*7)},
		{"peephole", schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, peephole, []int32{2, 3, 4}, nil, 2 * 3 * (3*7*5 + 4*7*4 + 4*7 + 7)},
		{"both ways", schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_LSTM, both, []int32{2, 3, 8}, nil, 2 * 2 * 3 * (4*7*5 + 4*7*4 + 4*7)},
		{"auxiliary", schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_LSTM, aux, []int32{2, 3, 8}, nil, 2*2*3*(4*7*5+4*7*4+4*7) + 2*3*7*6},
		{"RNN", schema.BuiltinOperatorRNN, shapes{{2, 5}, {7, 5}, {7, 7}, {7}, {2, 7}}, []int32{2, 7}, nil, 2 * (7*5 + 7*7)},
		{"sequence RNN", schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_RNN, shapes{{2, 3, 5}, {7, 5}, {7, 7}, {7}, {2, 7}}, []int32{2, 3, 7}, nil, 2 * 3 * (7*5 + 7*7)},
		{
			"RNN both ways", schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_RNN,
			shapes{{2, 3, 5}, {7, 5}, {7, 7}, {7}, {2, 7}, {8, 5}, {8, 8}, {8}, {2, 8}, nil, nil, nil},
			[]int32{2, 3, 7},
			nil, 2 * 3 * (7*5 + 7*7 + 8*5 + 8*8),
		},
		{"SVDF", schema.BuiltinOperatorSVDF, shapes{{2, 5}, {8, 5}, {8, 10}, {4}, {2, 80}}, []int32{2, 4}, nil, 2 * (8*5 + 8*10)},
		{"element-wise", schema.BuiltinOperatorMUL, shapes{{2, 5}, {2, 5}}, []int32{2, 5}, nil, 0},
		{"pool", schema.BuiltinOperatorAVERAGE_POOL_2D, shapes{{1, 4, 4, 3}}, []int32{1, 2, 2, 3}, nil, 0},
		{"unknown dimension", schema.BuiltinOperatorCONV_2D, shapes{{1, -1, 5, 3}, {6, 2, 3, 3}}, []int32{1, -1, 3, 6}, nil, 0},
		{"too large", schema.BuiltinOperatorCONV_2D, shapes{{1, 4, 4, 3}, {1 << 30, 1 << 20, 1 << 20, 1 << 20}}, []int32{1, 1, 1, 1 << 30}, nil, math.MaxInt64},
		{"too large but empty", schema.BuiltinOperatorCONV_2D, shapes{{1, 4, 4, 3}, {1 << 30, 1 << 20, 1 << 20, 1 << 30}}, []int32{1, 0, 1, 1 << 30}, nil, 0},
	} {
		o := encode.Operator{Builtin: c.builtin}
		if c.options != nil {
			c.options(&o)
		}
		m := one(t, o, c.in, c.out)
		if got := op.MACs(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0]).Total(); got != c.want {
			t.Errorf("%s: %d multiply-accumulates, want %d", c.name, got, c.want)
		}
	}
}

func outputFeature(dimension int64) func(*encode.Operator) {
	return func(o *encode.Operator) {
		o.Options2Type = schema.BuiltinOptions2StablehloConvolutionOptions
		o.Options2 = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.StablehloConvolutionOptionsStart(b)
			schema.StablehloConvolutionOptionsAddKernelOutputFeatureDimension(b, dimension)
			return schema.StablehloConvolutionOptionsEnd(b)
		}
	}
}

func contracting(dimensions ...int64) func(*encode.Operator) {
	return func(o *encode.Operator) {
		o.Options2Type = schema.BuiltinOptions2StablehloDotGeneralOptions
		o.Options2 = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.StablehloDotGeneralOptionsStartLhsContractingDimensionsVector(b, len(dimensions))
			for i := len(dimensions) - 1; i >= 0; i-- {
				b.PrependInt64(dimensions[i])
			}
			list := b.EndVector(len(dimensions))
			schema.StablehloDotGeneralOptionsStart(b)
			schema.StablehloDotGeneralOptionsAddLhsContractingDimensions(b, list)
			return schema.StablehloDotGeneralOptionsEnd(b)
		}
	}
}

func adjX(o *encode.Operator) {
	o.OptionsType = schema.BuiltinOptionsBatchMatMulOptions
	o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.BatchMatMulOptionsStart(b)
		schema.BatchMatMulOptionsAddAdjX(b, true)
		return schema.BatchMatMulOptionsEnd(b)
	}
}

// one returns a model of one operator; an input without a shape is absent.
func one(t interface {
	Helper()
	Fatal(...any)
}, o encode.Operator, in [][]int32, out []int32,
) *tflite.Model {
	t.Helper()
	s := encode.Subgraph{Tensors: []encode.Tensor{{Shape: out}}}
	for _, shape := range in {
		if shape == nil {
			o.Inputs = append(o.Inputs, -1)
			continue
		}
		o.Inputs = append(o.Inputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, encode.Tensor{Shape: shape})
	}
	o.Outputs, s.Outputs = []int{0}, []int{0}
	s.Operators = []encode.Operator{o}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), "one")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMACsOfAnything: for any operator, number of inputs and shapes, the count is non-negative,
// and a multiple of a part of the work.
func TestMACsOfAnything(t *testing.T) {
	shape := rapid.SliceOfN(rapid.SampledFrom([]int32{-1, 0, 1, 3, 1 << 15, math.MaxInt32}), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		o := encode.Operator{Builtin: schema.BuiltinOperator(rapid.IntRange(0, len(schema.EnumNamesBuiltinOperator)-1).Draw(t, "code"))}
		if rapid.Bool().Draw(t, "options") {
			rapid.SampledFrom([]func(*encode.Operator){adjX, contracting(-1, 7), outputFeature(9), outputFeature(-1)}).Draw(t, "which")(&o)
		}
		in := rapid.SliceOfN(rapid.OneOf(rapid.Just[[]int32](nil), shape), 0, 50).Draw(t, "inputs")
		m := one(t, o, in, shape.Draw(t, "output"))
		c := op.MACs(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0])
		if c.Each < 0 || c.Times < 0 || c.Total() < 0 || c.Total() != op.RunMACs(m, 0) {
			t.Fatalf("%v: %+v", o.Builtin, c)
		}
	})
}
