package cleanup_test

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestOutputsLeftOut: what is found can be left out, also where an operator makes nothing
// or makes what it reads.
func TestOutputsLeftOut(t *testing.T) {
	const reshape, relu = schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorRELU
	op := func(code schema.BuiltinOperator, in, out int) encode.Operator {
		return encode.Operator{Builtin: code, Inputs: []int{in}, Outputs: []int{out}}
	}
	for _, test := range []struct {
		name      string
		operators []encode.Operator
		want      int
	}{
		{"plain", []encode.Operator{op(reshape, 0, 1), op(relu, 1, 2)}, 1},
		{"a reader makes nothing", []encode.Operator{op(reshape, 0, 1), op(relu, 1, -1), op(relu, 1, 2)}, 0},
		{"it makes what it reads", []encode.Operator{op(relu, 0, 2), op(reshape, 1, 1), op(relu, 1, -1)}, 0},
		{"it makes nothing", []encode.Operator{op(relu, 0, 2), op(reshape, 0, -1)}, 0},
	} {
		s := encode.Subgraph{Inputs: []int{0}, Outputs: []int{2}, Operators: test.operators}
		for range 3 {
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "t", Shape: []int32{1, 16}})
		}
		m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), test.name)
		if err != nil {
			t.Fatal(err)
		}
		idle := cleanup.Find(m, 0)
		if len(idle) != test.want {
			t.Errorf("%s: %+v", test.name, idle)
		}
		if _, err := edit.Apply(m, cleanup.Edit(m, 0, idle), rewrite.Options{}); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
