package litert

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestConvolutionNeeds compares the temporary tensors of convolutions with LiteRT 2.3.0's: for windows
// that overlap, that are adjacent, that are the whole input, and that are one pixel each.
func TestConvolutionNeeds(t *testing.T) {
	const two, three = schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorCONV_3D
	for _, test := range []struct {
		code            schema.BuiltinOperator
		in, filter, out []int32
		want            int64
	}{
		{two, []int32{1, 16, 16, 32}, []int32{32, 3, 3, 4}, []int32{1, 14, 14, 32}, 4 * 14 * 14 * 36},
		{two, []int32{1, 64, 64, 3}, []int32{8, 16, 16, 3}, []int32{1, 4, 4, 8}, 4 * 4 * 4 * 768},
		{two, []int32{1, 8, 8, 3}, []int32{8, 8, 8, 3}, []int32{1, 1, 1, 8}, 4 * 192},
		{two, []int32{1, 8, 8, 3}, []int32{8, 1, 1, 3}, []int32{1, 8, 8, 8}, 0},
		{three, []int32{1, 10, 10, 10, 4}, []int32{3, 3, 3, 4, 2}, []int32{1, 8, 8, 8, 2}, 4 * 8 * 8 * 8 * 108},
		{three, []int32{1, 10, 10, 10, 4}, []int32{3, 3, 3, 4, 32}, []int32{1, 8, 8, 8, 32}, 4 * 8 * 8 * 8 * 108},
	} {
		tensor := func(shape []int32) encode.Tensor {
			return encode.Tensor{Type: schema.TensorTypeFLOAT32, Shape: shape, HasRank: true}
		}
		m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{tensor(test.in), tensor(test.filter), tensor(test.out)}, Inputs: []int{0, 1}, Outputs: []int{2},
			Operators: []encode.Operator{{Builtin: test.code, Inputs: []int{0, 1}, Outputs: []int{2}}},
		}}}), "test")
		if err != nil {
			t.Fatal(err)
		}
		s := &m.Subgraphs[0]
		if n := kernelMemoryOf(m, s, &s.Operators[0]); n.arena != test.want {
			t.Errorf("%v with %v: %d bytes, not %d", test.in, test.filter, n.arena, test.want)
		}
	}
}
