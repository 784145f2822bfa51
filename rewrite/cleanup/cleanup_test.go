package cleanup

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func floats(shape ...int32) encode.Tensor { return encode.Tensor{Shape: shape} }

func constant(buffer int, shape ...int32) encode.Tensor {
	return encode.Tensor{Type: schema.TensorTypeINT32, Shape: shape, Buffer: buffer}
}

func operator(code schema.BuiltinOperator, out int, in ...int) encode.Operator {
	return encode.Operator{Builtin: code, Inputs: in, Outputs: []int{out}}
}

// model reads tensor 0 and makes the last one.
func model(t *testing.T, tensors []encode.Tensor, operators ...encode.Operator) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: make([]byte, 32)}, {Data: append(make([]byte, 28), 1, 0, 0, 0)}},
		Subgraphs: []encode.Subgraph{{
			Tensors: tensors, Inputs: []int{0}, Outputs: []int{len(tensors) - 1}, Operators: operators,
		}},
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFind(t *testing.T) {
	const (
		pad, relu, reshape = schema.BuiltinOperatorPAD, schema.BuiltinOperatorRELU, schema.BuiltinOperatorRESHAPE
		resize             = schema.BuiltinOperatorRESIZE_BILINEAR
	)
	image, flat := floats(1, 2, 2, 1), floats(1, 4)
	for _, test := range []struct {
		name  string
		model *tflite.Model
		want  []int
	}{
		{"no padding", model(t, []encode.Tensor{image, constant(1, 4, 2), image, image}, operator(pad, 2, 0, 1), operator(relu, 3, 2)), []int{0}},
		{"padding", model(t, []encode.Tensor{image, constant(2, 4, 2), floats(1, 2, 2, 2), floats(1, 2, 2, 2)}, operator(pad, 2, 0, 1), operator(relu, 3, 2)), nil},
		{"an output of the graph", model(t, []encode.Tensor{image, constant(1, 4, 2), image}, operator(pad, 2, 0, 1)), nil},
		{"the same size", model(t, []encode.Tensor{image, constant(1, 2), image, image}, operator(resize, 2, 0, 1), operator(relu, 3, 2)), []int{0}},
		{"the same shape", model(t, []encode.Tensor{image, image, image}, operator(reshape, 1, 0), operator(relu, 2, 1)), []int{0}},
		{"reshaped again", model(t, []encode.Tensor{image, flat, floats(2, 2), floats(2, 2)}, operator(reshape, 1, 0), operator(reshape, 2, 1), operator(relu, 3, 2)), []int{0}},
		{"reshaped and read", model(t, []encode.Tensor{image, flat, flat}, operator(reshape, 1, 0), operator(relu, 2, 1)), nil},
		{"another type", model(t, []encode.Tensor{image, {Type: schema.TensorTypeINT8, Shape: image.Shape}, image}, operator(reshape, 1, 0), operator(relu, 2, 1)), nil},
	} {
		var got []int
		for _, x := range Find(test.model, 0) {
			got = append(got, x.Operator)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestEdit: what read the output of an idle operator reads its input, through several in
// a row, and the file that comes out has nothing idle left.
func TestEdit(t *testing.T) {
	image := floats(1, 2, 2, 1)
	m := model(t, []encode.Tensor{image, image, image, image},
		operator(schema.BuiltinOperatorRESHAPE, 1, 0), operator(schema.BuiltinOperatorRESHAPE, 2, 1), operator(schema.BuiltinOperatorRELU, 3, 2))
	r, err := edit.Apply(m, Edit(m, 0, Find(m, 0)), rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := tflite.Parse(r.Data, "out")
	if err != nil {
		t.Fatal(err)
	}
	if ops := out.Subgraphs[0].Operators; len(ops) != 1 || ops[0].Inputs[0] != 0 || len(Find(out, 0)) != 0 {
		t.Errorf("left: %+v", ops)
	}
}
