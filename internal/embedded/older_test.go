package embedded

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// loop is a WHILE with its code in the deprecated field alone, or in both.
func loop(t *testing.T, old bool) *tflite.Model {
	t.Helper()
	x := encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{64}}
	body := encode.Subgraph{
		Tensors: []encode.Tensor{x, x}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}}},
	}
	main := body
	main.Operators = []encode.Operator{{
		Builtin: schema.BuiltinOperatorWHILE, Old: old, Inputs: []int{0}, Outputs: []int{1}, OptionsType: schema.BuiltinOptionsWhileOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.WhileOptionsStart(b)
			schema.WhileOptionsAddCondSubgraphIndex(b, 1)
			schema.WhileOptionsAddBodySubgraphIndex(b, 1)
			return schema.WhileOptionsEnd(b)
		},
	}}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{main, body}}), "loop")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFollowOlder: an older runtime crashes where an operator that it does not find requests scratch.
func TestFollowOlder(t *testing.T) {
	inMain, inBody := []rules.Request{{Bytes: 16}}, []rules.Request{{Subgraph: 1, Bytes: 16}}
	for _, c := range []struct {
		old     bool
		scratch []rules.Request
		differs bool
		crashes bool
	}{
		{false, inBody, false, false},
		{true, nil, true, false},
		{true, inMain, true, false},
		{true, inBody, true, true},
	} {
		o, err := FollowOlder(t.Context(), rules.DefaultDevice().WithScratch("test", func(*tflite.Model) []rules.Request { return c.scratch }), loop(t, c.old))
		if err != nil || (o != nil) != c.differs || o != nil && o.Crashes != c.crashes {
			t.Errorf("old %v, scratch %v: %+v, %v", c.old, c.scratch, o, err)
		}
	}
}
