package scratch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestOf: operators take their requests along, tiles have those of the original operator, and operators
// that were added besides those of the operator of the same kind that asks for most.
func TestOf(t *testing.T) {
	tensor := func(name string) encode.Tensor { return encode.Tensor{Name: name, Shape: []int32{4}} }
	op := func(code schema.BuiltinOperator, in, out int) encode.Operator {
		return encode.Operator{Builtin: code, Inputs: []int{in}, Outputs: []int{out}}
	}
	const conv, pool, join = schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorCONCATENATION
	tensors := []encode.Tensor{tensor("in"), tensor("a"), tensor("b"), tensor("c")}
	own := parse(t, tensors, nil, op(conv, 0, 1), op(conv, 1, 2), op(pool, 2, 3))
	requests := []rules.Request{{Operator: 0, Bytes: 8}, {Operator: 0, Bytes: 0}, {Operator: 1, Bytes: 100}, {Operator: 2, Bytes: 5}}
	of := scratch.Of(own, requests)
	if diff := cmp.Diff(requests, of(own)); diff != "" {
		t.Errorf("the model itself (-want +got):\n%s", diff)
	}
	record := blocks.Record{Blocks: []blocks.Block{{
		Originals: []blocks.Original{{Tensor: 1, Shape: []int32{4}}}, First: 4,
		Operators: []blocks.Operator{{Code: 0, Inputs: []int{0}, Output: 0}},
		Tiles:     []blocks.Tile{{Original: 0}, {Original: 0}, {Original: -1}, {Original: -1}},
	}}}
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	more := append(tensors, tensor("x"), tensor("b/y"), tensor("z"), tensor("a/rows 0-1"))
	cut := parse(t, more, data, op(conv, 0, 4), op(conv, 0, 5), op(join, 4, 1), op(conv, 1, 6), op(conv, 1, 7), op(pool, 2, 3), op(conv, 1, 2))
	want := []rules.Request{
		{Operator: 0, Bytes: 8},
		{Operator: 0, Bytes: 0},
		{Operator: 1, Bytes: 8},
		{Operator: 1, Bytes: 0},
		{Operator: 3, Bytes: 100},
		{Operator: 4, Bytes: 100},
		{Operator: 5, Bytes: 5},
		{Operator: 6, Bytes: 100},
	}
	if diff := cmp.Diff(want, of(cut)); diff != "" {
		t.Errorf("in pieces (-want +got):\n%s", diff)
	}
}

func parse(t *testing.T, tensors []encode.Tensor, record []byte, operators ...encode.Operator) *tflite.Model {
	t.Helper()
	model := encode.Model{Subgraphs: []encode.Subgraph{{Tensors: tensors, Operators: operators}}}
	if record != nil {
		model.Buffers = []encode.Buffer{{Data: record}}
		model.Metadata = []encode.Metadata{{Name: blocks.Name, Buffer: 1}}
	}
	m, err := tflite.Parse(encode.Encode(model), "m")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
