package tflite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Constants are outside the flatbuffer when their data is behind it or in another file, and not in
// it too.
func TestOutsideConstants(t *testing.T) {
	tensor := func(buffer, external int) encode.Tensor {
		return encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{4}, Buffer: buffer, External: external}
	}
	source := encode.Model{
		Buffers: []encode.Buffer{{Data: []byte("data")}, {Offset: 1 << 12, Size: 5}, {Offset: 1 << 12, Size: 0}, {Offset: 1, Size: 4}},
		Subgraphs: []encode.Subgraph{
			{
				Tensors: []encode.Tensor{
					tensor(0, 0), tensor(1, 0), tensor(2, 0), tensor(3, 0), tensor(4, 0), tensor(0, 1), tensor(1, 1), tensor(2, 0),
				},
				Inputs: []int{0}, Outputs: []int{7},
				Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 2}, Outputs: []int{4}}},
			},
			{Tensors: []encode.Tensor{tensor(2, 0)}},
		},
		External: []encode.ExternalBuffer{{Group: "weights", Length: 4}},
	}
	data := encode.Encode(source)
	m, err := parse(append(data, make([]byte, 1<<12+5-len(data))...), "m")
	if err != nil {
		t.Fatal(err)
	}
	want := []OutsideConstant{
		{Tensor: 2, Bytes: 5, Read: true},
		{Tensor: 5, Bytes: 4, OtherFile: true},
		{Tensor: 7, Bytes: 5, Read: true},
		{Subgraph: 1, Tensor: 0, Bytes: 5},
	}
	if diff := cmp.Diff(want, m.OutsideConstants()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
