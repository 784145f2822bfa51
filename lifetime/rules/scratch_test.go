package rules_test

import (
	"encoding/hex"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func typed(kind schema.TensorType, shape ...int32) encode.Tensor {
	return encode.Tensor{Type: kind, Shape: shape}
}

// TestRequests pins the sizes requested by the reference kernels; other tests compare them with
// the real runtime on real models.
func TestRequests(t *testing.T) {
	const (
		i8  = schema.TensorTypeINT8
		i16 = schema.TensorTypeINT16
		i32 = schema.TensorTypeINT32
		f32 = schema.TensorTypeFLOAT32
	)
	lstm := make([]encode.Tensor, 20)
	for i := range lstm {
		lstm[i] = typed(i8, 1)
	}
	lstm[19] = typed(i16, 2, 5)
	tests := []struct {
		name   string
		code   schema.BuiltinOperator
		inputs []encode.Tensor
		output encode.Tensor
		want   []int64
	}{
		{"ADD_N", schema.BuiltinOperatorADD_N, []encode.Tensor{typed(f32, 2), typed(f32, 2), typed(f32, 2)}, typed(f32, 2), []int64{12}},
		{"CONV_2D int8", schema.BuiltinOperatorCONV_2D, []encode.Tensor{typed(i8, 1, 4, 4, 1), typed(i8, 8, 3, 3, 1)}, typed(i8, 1, 4, 4, 8), nil},
		{"CONV_2D int4", schema.BuiltinOperatorCONV_2D, []encode.Tensor{typed(i8, 1, 4, 4, 1), typed(schema.TensorTypeINT4, 8, 3, 3, 1)}, typed(i8, 1, 4, 4, 8), []int64{72}},
		{"MIRROR_PAD", schema.BuiltinOperatorMIRROR_PAD, []encode.Tensor{typed(f32, 1, 2, 3)}, typed(f32, 1, 4, 5), []int64{12, 12}},
		{"MEAN int8", schema.BuiltinOperatorMEAN, []encode.Tensor{typed(i8, 1, 4, 4, 10), typed(i32, 2)}, typed(i8, 1, 10), []int64{40, 16, 8}},
		{"MEAN float", schema.BuiltinOperatorMEAN, []encode.Tensor{typed(f32, 1, 4, 4, 10), typed(i32, 2)}, typed(f32, 1, 10), []int64{16, 8}},
		{"REDUCE_MAX", schema.BuiltinOperatorREDUCE_MAX, []encode.Tensor{typed(i8, 1, 4), typed(i32, 1)}, typed(i8, 1), []int64{8, 4}},
		{"SVDF int8", schema.BuiltinOperatorSVDF, []encode.Tensor{typed(i8, 2, 9), typed(i8, 12, 9)}, typed(i8, 2, 6), []int64{96, 48}},
		{"SVDF float", schema.BuiltinOperatorSVDF, []encode.Tensor{typed(f32, 2, 9), typed(f32, 12, 9)}, typed(f32, 2, 6), []int64{96}},
		{"TRANSPOSE_CONV int8", schema.BuiltinOperatorTRANSPOSE_CONV, []encode.Tensor{typed(i32, 4), typed(i8, 8, 3, 3, 1), typed(i8, 1, 2, 2, 1)}, typed(i8, 1, 4, 4, 8), []int64{512}},
		{"LSTM", schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, lstm, typed(i8, 2, 5), []int64{20, 20, 20, 20}},
		{"SignalRfft", schema.BuiltinOperatorCUSTOM, []encode.Tensor{typed(i16, 480)}, typed(i16, 514), []int64{1024}},
		{"LSTM without its inputs", schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, nil, typed(i8, 2, 5), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var inputs []int
			for i := range tt.inputs {
				inputs = append(inputs, i)
			}
			m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
				Tensors:   append(tt.inputs, tt.output),
				Operators: []encode.Operator{named(operator(tt.code, inputs, []int{len(inputs)}), tt.name)},
			}}}), tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, r := range rules.DefaultDevice().Requests(m) {
				got = append(got, r.Bytes)
			}
			want(t, "requests", tt.want, got)
		})
	}
}

// named gives a custom operator its name and options.
func named(op encode.Operator, name string) encode.Operator {
	if op.Builtin == schema.BuiltinOperatorCUSTOM {
		op.Custom = name
		// {"fft_length": 512}, as FlexBuffers.
		op.CustomOptions, _ = hex.DecodeString("6666745f6c656e67746800010c00020001000100000205032501")
	}
	return op
}

// TestScratchLivesWhileItsOperatorRuns uses a call from two places, and a subgraph
// that is never called.
func TestScratchLivesWhileItsOperatorRuns(t *testing.T) {
	add := encode.Subgraph{
		Tensors: []encode.Tensor{floats("a", 4), floats("b", 4)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorADD, []int{0, 0}, []int{1})},
	}
	v := view(t, encode.Model{Subgraphs: []encode.Subgraph{add, add}}, "tflm")
	records := v.WithScratch([]rules.Request{{Subgraph: 0, Operator: 0, Bytes: 5}, {Subgraph: 1, Operator: 0, Bytes: 5}, {Subgraph: 0, Operator: 0}})
	want(t, "scratch", []lifetime.Record{{
		ID: "scratch:0", Name: "scratch of operator 0 of subgraph 0", First: 1, Last: 1, Size: 16, Align: 16,
	}}, records[len(v.Records()):])
}

// TestScratchOfControlFlow: scratch of an operator is alive while subgraphs run inside it.
func TestScratchOfControlFlow(t *testing.T) {
	branch := encode.Subgraph{
		Tensors: []encode.Tensor{floats("x", 4), floats("y", 4)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorRELU, []int{0}, []int{1})},
	}
	v := view(t, encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{typed(schema.TensorTypeBOOL, 1), floats("in", 4), floats("out", 4)},
		Inputs:  []int{0, 1}, Outputs: []int{2}, Operators: []encode.Operator{choose([]int{0, 1}, []int{2})},
	}, branch, branch}}, "tflm")
	records := v.WithScratch([]rules.Request{{Bytes: 16}})
	// The operator is at 1, the branches at 2 and 4, their operators at 3 and 5.
	if r := records[len(records)-1]; r.First != 1 || r.Last != 5 {
		t.Errorf("scratch is alive from %d to %d, want 1 to 5", r.First, r.Last)
	}
}
