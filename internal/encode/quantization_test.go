package encode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func drawQuantization(t *rapid.T) (q encode.Quantization) {
	q.Scales = rapid.SliceOfN(rapid.Float32(), 0, 4).Draw(t, "scales")
	if n := len(q.Scales); n > 0 {
		q.Dimension = rapid.Int32().Draw(t, "dimension")
		if rapid.Bool().Draw(t, "zero points") {
			q.Zeros = rapid.SliceOfN(rapid.Int64(), n, n).Draw(t, "zeros")
		}
	}
	return q
}

// quantizationOf reads the quantisation of tensor i of subgraph 0 from the file.
func quantizationOf(data []byte, i int) (q encode.Quantization, ok bool) {
	var sub schema.SubGraph
	var tensor schema.Tensor
	schema.GetRootAsModel(data, 0).Subgraphs(&sub, 0)
	sub.Tensors(&tensor, i)
	p := tensor.Quantization(nil)
	if p == nil {
		return q, false
	}
	for k := range p.ScaleLength() {
		q.Scales = append(q.Scales, p.Scale(k))
	}
	for k := range p.ZeroPointLength() {
		q.Zeros = append(q.Zeros, p.ZeroPoint(k))
	}
	q.Dimension = p.QuantizedDimension()
	return q, true
}

// A tensor's written quantisation is read back, by its reader and by the project's own, which requires
// order and alignment; without scales there is no table.
func TestQuantization(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sub encode.Subgraph
		for _, q := range rapid.SliceOfN(rapid.Custom(drawQuantization), 1, 5).Draw(t, "tensors") {
			sub.Tensors = append(sub.Tensors, encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{1}, Quantization: q})
		}
		data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{sub}})
		if _, err := tflite.Parse(data, "drawn"); err != nil {
			t.Fatal(err)
		}
		for i, tensor := range sub.Tensors {
			got, ok := quantizationOf(data, i)
			if ok != (len(tensor.Quantization.Scales) > 0) {
				t.Fatalf("tensor %d of %+v has a table: %t", i, tensor.Quantization, ok)
			}
			if diff := cmp.Diff(tensor.Quantization, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
				t.Fatalf("tensor %d, written and read differ (-written +read):\n%s", i, diff)
			}
		}
	})
}
