package rules_test

import (
	"fmt"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// overlapping returns the overlaps of a model as "FROM>TO DISTANCE" by the tensors' ids.
func overlapping(t *testing.T, m encode.Model, runtime string, a rules.Alias) (list []string) {
	t.Helper()
	v := view(t, m, runtime)
	for _, x := range v.Overlaps(a) {
		list = append(list, fmt.Sprintf("%s>%s %d", v.Records()[x.From].ID, v.Records()[x.To].ID, x.Distance))
	}
	return list
}

func bytes(name string, shape ...int32) encode.Tensor {
	return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: shape}
}

// connected is a FULLY_CONNECTED of data and weights.
func connected(in, weights, out int) encode.Operator {
	o := operator(schema.BuiltinOperatorFULLY_CONNECTED, []int{in, weights}, []int{out})
	o.OptionsType = schema.BuiltinOptionsFullyConnectedOptions
	o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return fields(b, []any{nil}) }
	return o
}

// TestOverlapsWhen: an output overlaps an input that ends there, and whose contents are not
// needed after the operator.
func TestOverlapsWhen(t *testing.T) {
	const widen, narrow, add = schema.BuiltinOperatorDEQUANTIZE, schema.BuiltinOperatorQUANTIZE, schema.BuiltinOperatorADD
	chain := func(change func(s *encode.Subgraph)) encode.Model {
		m := one([]encode.Tensor{floats("a", 64), bytes("b", 64), floats("c", 64)}, operator(narrow, []int{0}, []int{1}), operator(widen, []int{1}, []int{2}))
		if change != nil {
			change(&m.Subgraphs[0])
		}
		return m
	}
	both := one([]encode.Tensor{floats("a", 2, 64), floats("b", 1, 64), floats("c", 2, 64)}, operator(add, []int{0, 1}, []int{2}))
	both.Subgraphs[0].Inputs = []int{0, 1}
	for _, test := range []struct {
		name  string
		model encode.Model
		want  []string
	}{
		{"a chain", chain(nil), []string{"0:0>0:1 -3", "0:1>0:2 189"}},
		{"an output of the graph", chain(func(s *encode.Subgraph) { s.Outputs = []int{1, 2} }), []string{"0:0>0:1 -3"}},
		{"a variable", chain(func(s *encode.Subgraph) { s.Tensors[1].Variable = true }), nil},
		{"read later", chain(func(s *encode.Subgraph) {
			s.Tensors = append(s.Tensors, bytes("d", 64))
			s.Operators = append(s.Operators, operator(schema.BuiltinOperatorRELU, []int{1}, []int{3}))
		}), []string{"0:0>0:1 -3", "0:1>0:3 0"}},
		{"written twice", chain(func(s *encode.Subgraph) {
			s.Operators = append(s.Operators[:1:1], s.Operators[0], s.Operators[1])
		}), nil},
		{"shapes that contradict each other", chain(func(s *encode.Subgraph) { s.Tensors[2].Shape = []int32{65} }), []string{"0:0>0:1 -3"}},
		{"packed elements", chain(func(s *encode.Subgraph) { s.Tensors[1].Type = schema.TensorTypeINT4 }), nil},
		{"two inputs", both, []string{"0:0>0:2 0", "0:1>0:2 256"}},
		{
			"the same input twice", one([]encode.Tensor{bytes("a", 64), floats("b", 64)}, operator(schema.BuiltinOperatorSELECT_V2, []int{0, 0, 0}, []int{1})),
			[]string{"0:0>0:1 189"},
		},
		{
			"weights that are an input too", one([]encode.Tensor{floats("a", 8, 8), floats("b", 8, 8)}, connected(0, 0, 1)),
			nil,
		},
		{
			"a fully connected layer", given([]int{0, 1}, one([]encode.Tensor{floats("a", 8, 8), floats("b", 8, 8), floats("c", 8, 8)}, connected(0, 1, 2))),
			[]string{"0:0>0:2 28"},
		},
	} {
		if d := cmp.Diff(test.want, overlapping(t, test.model, "tflm", rules.DiagonalAlias)); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
		for _, alias := range rules.Aliases() {
			if list := overlapping(t, test.model, "tflm", alias); list != nil && alias != rules.DiagonalAlias {
				t.Errorf("%s, --alias %s: %v", test.name, alias, list)
			}
		}
		if list := overlapping(t, test.model, "litert", rules.DiagonalAlias); list != nil {
			t.Errorf("%s, LiteRT: %v", test.name, list)
		}
	}
}

// TestOverlapsOfBranches: the caller may still need the inputs of a subgraph.
func TestOverlapsOfBranches(t *testing.T) {
	branch := encode.Subgraph{
		Tensors: []encode.Tensor{floats("x", 64), bytes("y", 64), floats("z", 64)}, Inputs: []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorQUANTIZE, []int{0}, []int{1}), operator(schema.BuiltinOperatorDEQUANTIZE, []int{1}, []int{2})},
	}
	tensors := []encode.Tensor{{Name: "cond", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, floats("in", 64), floats("out", 64), floats("end", 64)}
	m := encode.Model{Subgraphs: []encode.Subgraph{
		{Tensors: tensors, Inputs: []int{0, 1}, Outputs: []int{3}, Operators: []encode.Operator{choose([]int{0, 1}, []int{2}), operator(schema.BuiltinOperatorNEG, []int{2}, []int{3})}}, branch, branch,
	}}
	if d := cmp.Diff([]string{"1:1>1:2 189", "2:1>2:2 189", "0:2>0:3 0"}, overlapping(t, m, "tflm", rules.DiagonalAlias)); d != "" {
		t.Error(d)
	}
}

// TestDiagonalIsMore: everything permitted by [rules.OverwriteAlias] is permitted by
// [rules.DiagonalAlias].
func TestDiagonalIsMore(t *testing.T) {
	for _, slice := range []bool{false, true} {
		v := view(t, strips(slice), "tflm")
		if d := cmp.Diff(v.Takeovers(rules.OverwriteAlias), v.Takeovers(rules.DiagonalAlias)); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(v.Remaining(rules.OverwriteAlias), v.Remaining(rules.DiagonalAlias)); d != "" {
			t.Error(d)
		}
	}
	for code := range schema.EnumNamesBuiltinOperator {
		if rules.OverwriteAlias.InPlace(code) != rules.DiagonalAlias.InPlace(code) {
			t.Error(code)
		}
	}
}
