package slim_test

import (
	"bytes"
	"errors"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// wasteful returns a model with everything that Slim removes: two operators over tensors with
// equal constants and quantisations, an unused tensor, an unused code and unused buffers.
func wasteful() encode.Model {
	quantization := func(zero int64) encode.Quantization {
		return encode.Quantization{Scales: []float32{0.5, 0.25}, Zeros: []int64{zero, 0}}
	}
	tensor := func(name string, buffer int) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: []int32{1, 64}, Buffer: buffer, Quantization: quantization(0)}
	}
	add := func(a, b, out int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: []int{a, b}, Outputs: []int{out}}
	}
	unused := tensor("unused", 6)
	unused.Quantization = quantization(1)
	return encode.Model{
		Description: "a model with much to remove",
		Subgraphs: []encode.Subgraph{{
			Name: "main", Inputs: []int{0}, Outputs: []int{5},
			Tensors: []encode.Tensor{
				tensor("input", 0), tensor("first constant", 1), unused, tensor("in between", 2), tensor("second constant", 3), tensor("output", 0),
			},
			Operators: []encode.Operator{add(0, 1, 3), add(3, 4, 5)},
		}},
		Buffers: []encode.Buffer{
			{Data: bytes.Repeat([]byte{1, 2}, 32)},
			{},
			{Data: bytes.Repeat([]byte{1, 2}, 32)},
			{Data: []byte("1.5.0")},
			{Data: bytes.Repeat([]byte("options"), 9)},
			{Data: make([]byte, 64)},
			{Data: []byte("nothing uses it")},
		},
		Metadata:   []encode.Metadata{{Name: "min_runtime_version", Buffer: 4}, {Name: "CONVERSION_METADATA", Buffer: 5}},
		Signatures: []encode.Signature{{Key: "serve", Inputs: map[string]int{"x": 0}, Outputs: map[string]int{"y": 3}}},
	}
}

// slimmed returns the result for a model, and the new model.
func slimmed(t sample.TB, m *tflite.Model) (*slim.Result, *tflite.Model) {
	t.Helper()
	r, err := slim.Slim(m, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

// check applies the laws to a model: the input is untouched, the result no larger, the sum of
// the savings right, the second result the same. It returns the result or the refusal.
func check(t sample.TB, m *tflite.Model, o rewrite.Options) (*slim.Result, error) {
	t.Helper()
	before := bytes.Clone(m.Data)
	r, err := slim.Slim(m, o)
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return nil, err
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Data, before) {
		t.Fatal("the input was changed")
	}
	saved := r.Before
	for _, s := range r.Savings {
		saved -= s.Bytes
	}
	if r.Before != int64(len(m.Data)) || r.After != int64(len(r.Data)) || saved != r.After {
		t.Fatalf("sizes %d and %d of %d and %d, savings %v", r.Before, r.After, len(m.Data), len(r.Data), r.Savings)
	}
	if len(r.Data) > len(before) || len(r.Data) == len(before) && !bytes.Equal(r.Data, before) {
		t.Fatalf("%d B from %d", len(r.Data), len(before))
	}
	again, err := slim.Slim(modelfile.Parse(t, r.Data), o)
	if err != nil || !bytes.Equal(again.Data, r.Data) {
		t.Fatalf("again: %+v, %v", again, err)
	}
	return r, nil
}
