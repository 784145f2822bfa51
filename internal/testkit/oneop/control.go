package oneop

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Operators that call subgraphs.

// call adds a subgraph of one operator.
func (d *drawn) call(code schema.BuiltinOperator, inputs []encode.Tensor, output encode.Tensor) int32 {
	s := encode.Subgraph{Tensors: append(inputs, output), Outputs: []int{len(inputs)}}
	for i := range inputs {
		s.Inputs = append(s.Inputs, i)
	}
	s.Operators = []encode.Operator{{Builtin: code, Inputs: s.Inputs, Outputs: s.Outputs}}
	d.called = append(d.called, s)
	return int32(len(d.called))
}

func branch(d *drawn) {
	t := some(d, f32, i8, i16)
	q := d.usual(t)
	shape := d.shape(d.rank(0))
	like := encode.Tensor{Type: t, Shape: shape, Quantization: q, HasRank: true}
	code := some(d, schema.BuiltinOperatorADD, schema.BuiltinOperatorMAXIMUM)
	then, otherwise := d.call(code, []encode.Tensor{like, like}, like), d.call(schema.BuiltinOperatorMINIMUM, []encode.Tensor{like, like}, like)
	d.options(schema.BuiltinOptionsIfOptions, schema.IfOptionsStart, schema.IfOptionsEnd,
		set(schema.IfOptionsAddThenSubgraphIndex, then), set(schema.IfOptionsAddElseSubgraphIndex, otherwise))
	d.in(boolean, some(d, []int32{}, []int32{1}), none, nil)
	d.in(t, shape, q, nil)
	d.in(t, shape, q, nil)
	d.out(t, shape, q)
}

// loop doubles a number until it is large.
func loop(d *drawn) {
	t := some(d, f32, i32)
	one := some(d, []int32{}, []int32{1})
	like := encode.Tensor{Type: t, Shape: one, HasRank: true}
	limit := encode.Tensor{Type: t, Shape: one, HasRank: true}
	cond := d.call(schema.BuiltinOperatorLESS, []encode.Tensor{like, limit}, encode.Tensor{Type: boolean, Shape: one, HasRank: true})
	body := d.call(schema.BuiltinOperatorADD, []encode.Tensor{like, like}, like)
	// The body returns the limit unchanged.
	d.called[body-1].Operators[0].Inputs = []int{0, 0}
	d.called[body-1].Outputs = []int{2, 1}
	d.options(schema.BuiltinOptionsWhileOptions, schema.WhileOptionsStart, schema.WhileOptionsEnd,
		set(schema.WhileOptionsAddCondSubgraphIndex, cond), set(schema.WhileOptionsAddBodySubgraphIndex, body))
	d.in(t, one, none, between(1, 3))
	d.in(t, one, none, between(5, 100))
	d.out(t, one, none)
	d.out(t, one, none)
}
