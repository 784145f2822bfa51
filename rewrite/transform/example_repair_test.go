package transform_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// CMSIS-NN leaves the output of a TRANSPOSE of five dimensions unwritten. Three of them move together.
func ExampleRepair() {
	var permutation []byte
	for _, d := range []uint32{3, 4, 0, 1, 2} {
		permutation = binary.LittleEndian.AppendUint32(permutation, d)
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: permutation}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				{Type: schema.TensorTypeINT8, Shape: []int32{2, 3, 4, 5, 6}},
				{Type: schema.TensorTypeINT32, Shape: []int32{5}, Buffer: 1},
				{Type: schema.TensorTypeINT8, Shape: []int32{5, 6, 2, 3, 4}},
			},
			Inputs: []int{0}, Outputs: []int{2},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorTRANSPOSE, Inputs: []int{0, 1}, Outputs: []int{2}}},
		}},
	}), "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := rules.UsualDevice("cmsis-nn-mve")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := transform.Repair(context.Background(), m, transform.Options{Device: device})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range r.Applied {
		fmt.Printf("%s: %s\n", a.Rule.Name, a.Rule.Result)
	}
	for _, o := range r.Model.Subgraphs[0].Operators {
		fmt.Println(o.Name, r.Model.Subgraphs[0].Tensors[o.Outputs[0]].Shape)
	}
	fmt.Println("faults left:", len(r.Left))
	// Output:
	// merge-transpose: TRANSPOSE of fewer dimensions between RESHAPE, or RESHAPE alone
	// RESHAPE [24 30]
	// TRANSPOSE [30 24]
	// RESHAPE [5 6 2 3 4]
	// faults left: 0
}
