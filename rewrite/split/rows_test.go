package split_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
)

const (
	f32 = schema.TensorTypeFLOAT32
	i8  = schema.TensorTypeINT8
)

// TestRowsRefused: operators on tokens whose tiles would compute something else, or all of the output, are not tiled.
func TestRowsRefused(t *testing.T) {
	unary := func(kind schema.BuiltinOperator, from, to []int32, more ...int32) func(n *cnn) {
		return func(n *cnn) {
			in := n.tensor(f32, 1, from...)
			n.sub.Inputs = []int{in}
			inputs := []int{in}
			if more != nil {
				inputs = append(inputs, n.int32s([]int32{int32(len(more))}, more...))
			}
			n.add(encode.Operator{Builtin: kind}, n.tensor(f32, 1, to...), inputs...)
		}
	}
	connect := func(in, weights, out schema.TensorType) func(n *cnn) {
		return func(n *cnn) {
			x := n.tensor(in, 1, 1, 5, 4)
			n.sub.Inputs = []int{x}
			n.add(fullyConnected(true), n.tensor(out, 1, 1, 5, 3), x, n.constant(weights, 1, 3, 4), -1)
		}
	}
	multiply := func(a, b schema.TensorType) func(n *cnn) {
		return func(n *cnn) {
			x := n.tensor(a, 1, 1, 2, 5, 4)
			n.sub.Inputs = []int{x}
			n.matMul(x, n.constant(b, 1, 1, 2, 4, 3), 3, false)
		}
	}
	const noRows = "no rows or columns of its output follow from some of an input"
	for name, test := range map[string]struct {
		add  func(n *cnn)
		want string
	}{
		"floats":                     {connect(f32, f32, f32), ""},
		"bytes":                      {connect(i8, i8, i8), ""},
		"weights of bytes":           {connect(f32, i8, f32), "types FLOAT32, INT8 and FLOAT32 do not go together tile by tile"},
		"matrices":                   {multiply(f32, f32), ""},
		"a matrix of bytes":          {multiply(f32, i8), "its operands have different types"},
		"tokens to channels":         {unary(schema.BuiltinOperatorTRANSPOSE, []int32{1, 5, 4}, []int32{1, 4, 5}, 0, 2, 1), noRows},
		"tokens and heads":           {unary(schema.BuiltinOperatorTRANSPOSE, []int32{1, 5, 2, 4}, []int32{1, 2, 5, 4}, 0, 2, 1, 3), ""},
		"other rows":                 {unary(schema.BuiltinOperatorRESHAPE, []int32{1, 6, 4}, []int32{1, 4, 6}, 1, 4, 6), noRows},
		"heads":                      {unary(schema.BuiltinOperatorRESHAPE, []int32{1, 6, 4}, []int32{1, 6, 2, 2}, 1, 6, 2, 2), ""},
		"a shape in the options":     {unary(schema.BuiltinOperatorRESHAPE, []int32{1, 6, 4}, []int32{6, 4}), "its shape is not a constant of INT32"},
		"one row":                    {unary(schema.BuiltinOperatorLOGISTIC, []int32{1, 4}, []int32{1, 4}), "its output has the shape [1 4], with a single row"},
		"five dimensions":            {unary(schema.BuiltinOperatorLOGISTIC, []int32{2, 2, 2, 2, 4}, []int32{2, 2, 2, 2, 4}), "its output has the shape [2 2 2 2 4], not one of 1 to 4 dimensions"},
		"the only dimension":         {unary(schema.BuiltinOperatorSOFTMAX, []int32{6}, []int32{6}), "its output does not follow from its inputs"},
		"elements of one dimension":  {unary(schema.BuiltinOperatorLOGISTIC, []int32{6}, []int32{6}), ""},
		"a reduction over all rows":  {unary(schema.BuiltinOperatorMEAN, []int32{1, 5, 4}, []int32{1, 4}, 1), "its output has the shape [1 4], with a single row"},
		"an output of another shape": {unary(schema.BuiltinOperatorTRANSPOSE, []int32{1, 5, 4}, []int32{1, 5, 4}, 0, 2, 1), "its output does not follow from its inputs"},
	} {
		n := &cnn{Rand: rand.New(rand.NewPCG(1, 1)), read: map[int]bool{}}
		n.sub.Name = "main"
		test.add(n)
		m, err := n.model(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := ""
		if err := split.Cuttable(m)[0]; err != nil {
			got = err.(*split.UncuttableError).Reason
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestHeads: attention is tiled by heads, each of which reads its part of both operands, and by tokens, which read the second
// operand whole and without a copy.
func TestHeads(t *testing.T) {
	n := &cnn{Rand: rand.New(rand.NewPCG(1, 1)), read: map[int]bool{}}
	n.sub.Name = "main"
	a, b := n.tensor(f32, 1, 1, 2, 6, 4), n.tensor(f32, 1, 1, 2, 6, 4)
	n.sub.Inputs = []int{a, b}
	n.matMul(a, b, 6, true)
	m, err := n.model("heads")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rows, columns int
		operators     int
	}{
		{2, 1, 2*(1+2) + 1}, // two slices each, and both are joined
		{1, 3, 3*(1+1) + 1},
	} {
		f, err := split.Cut(m, split.Stage{Rows: test.rows, Columns: test.columns}, len(m.Subgraphs[0].Tensors))
		if err != nil || len(f.Operators) != test.operators {
			t.Errorf("%+v: %d operators, %v", test, len(f.Operators), err)
		}
	}
}
