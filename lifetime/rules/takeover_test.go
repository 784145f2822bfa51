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

// taken returns the takeovers of a model as "FROM>TO" by the tensors' ids.
func taken(t *testing.T, m encode.Model, a rules.Alias) (list []string) {
	t.Helper()
	v := view(t, m, "tflm")
	for _, x := range v.Takeovers(a) {
		list = append(list, fmt.Sprintf("%s>%s", v.Records()[x.From].ID, v.Records()[x.To].ID))
	}
	return list
}

// one is a model of one subgraph: the input is tensor 0, the output the last one.
func one(tensors []encode.Tensor, operators ...encode.Operator) encode.Model {
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: tensors, Inputs: []int{0}, Outputs: []int{len(tensors) - 1}, Operators: operators,
	}}}
}

// given is a model with other inputs.
func given(inputs []int, m encode.Model) encode.Model {
	m.Subgraphs[0].Inputs = inputs
	return m
}

func TestTakeovers(t *testing.T) {
	const add, relu, reshape, pool = schema.BuiltinOperatorADD, schema.BuiltinOperatorRELU, schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorMAX_POOL_2D
	three := []encode.Tensor{floats("a", 4), floats("b", 4), floats("c", 4)}
	four := append(append([]encode.Tensor{}, three...), floats("d", 4))
	for _, test := range []struct {
		name              string
		model             encode.Model
		safe, elementwise []string
	}{
		{
			"a chain", one(three, operator(relu, []int{0}, []int{1}), operator(reshape, []int{1}, []int{2})),
			[]string{"0:1>0:2"},
			[]string{"0:0>0:1", "0:1>0:2"},
		},
		{
			"an input that is read later", one(four, operator(relu, []int{0}, []int{1}), operator(relu, []int{1}, []int{2}), operator(add, []int{1, 2}, []int{3})),
			nil,
			[]string{"0:0>0:1", "0:1>0:3", "0:2>0:3"},
		},
		{
			"the same input twice", one(three[:2], operator(add, []int{0, 0}, []int{1})),
			nil,
			[]string{"0:0>0:1"},
		},
		{
			"broadcasting", one([]encode.Tensor{floats("a", 4), floats("b", 1), floats("c", 4)}, operator(relu, []int{0}, []int{1}), operator(add, []int{0, 1}, []int{2})),
			nil, nil,
		},
		{
			"another kernel", one(three[:2], operator(pool, []int{0}, []int{1})),
			nil, nil,
		},
		{
			"another size", one([]encode.Tensor{floats("a", 8), floats("b", 4)}, operator(reshape, []int{0}, []int{1})),
			nil, nil,
		},
	} {
		if d := cmp.Diff(test.safe, taken(t, test.model, rules.SafeAlias)); d != "" {
			t.Errorf("%s, safe: %s", test.name, d)
		}
		if d := cmp.Diff(test.elementwise, taken(t, test.model, rules.ElementwiseAlias)); d != "" {
			t.Errorf("%s, elementwise: %s", test.name, d)
		}
		if list := taken(t, test.model, rules.NoAlias); list != nil {
			t.Errorf("%s, off: %v", test.name, list)
		}
	}
}

// TestOutputsAreKept: a graph output that the last operator reads is needed after it, though
// both records end there. Copies may share its memory nevertheless.
func TestOutputsAreKept(t *testing.T) {
	tensors := []encode.Tensor{floats("a", 4), floats("b", 4), {Name: "at", Type: schema.TensorTypeINT32, Shape: []int32{1}, Buffer: 1}, floats("c", 4)}
	for code, want := range map[schema.BuiltinOperator][]string{
		schema.BuiltinOperatorNEG:                  {"0:0>0:1"},
		schema.BuiltinOperatorRESHAPE:              {"0:0>0:1", "0:1>0:3"},
		schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE: nil, // the first tensor is the update
	} {
		last := operator(code, []int{1}, []int{3})
		if code == schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE {
			last.Inputs = []int{1, 0, 2}
		}
		m := one(tensors, operator(schema.BuiltinOperatorRELU, []int{0}, []int{1}), last)
		m.Buffers, m.Subgraphs[0].Outputs = []encode.Buffer{ints(0)}, []int{1, 3}
		if d := cmp.Diff(want, taken(t, m, rules.ElementwiseAlias)); d != "" {
			t.Errorf("%s: %s", code, d)
		}
	}
}

// TestWrittenTwice: a tensor that is written twice is not part of a join.
func TestWrittenTwice(t *testing.T) {
	join := operator(schema.BuiltinOperatorCONCATENATION, []int{1}, []int{2})
	join.OptionsType = schema.BuiltinOptionsConcatenationOptions
	join.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.ConcatenationOptionsStart(b)
		return schema.ConcatenationOptionsEnd(b)
	}
	again := operator(schema.BuiltinOperatorMAX_POOL_2D, []int{0}, []int{1})
	end := operator(schema.BuiltinOperatorMAX_POOL_2D, []int{2}, []int{3})
	tensors := []encode.Tensor{floats("a", 4), floats("b", 4), floats("c", 4), floats("d", 4)}
	if list := taken(t, one(tensors, again, join, end), rules.SafeAlias); len(list) != 1 {
		t.Errorf("written once: %v", list)
	}
	if list := taken(t, one(tensors, again, join, again, end), rules.SafeAlias); list != nil {
		t.Errorf("written twice: %v", list)
	}
}

// choose is an IF between subgraphs 1 and 2.
func choose(in, out []int) encode.Operator {
	op := operator(schema.BuiltinOperatorIF, in, out)
	op.OptionsType = schema.BuiltinOptionsIfOptions
	op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.IfOptionsStart(b)
		schema.IfOptionsAddThenSubgraphIndex(b, 1)
		schema.IfOptionsAddElseSubgraphIndex(b, 2)
		return schema.IfOptionsEnd(b)
	}
	return op
}

// TestTakeoversOfBranches: the branches of an IF reuse its inputs, unless these are read again,
// and its outputs.
func TestTakeoversOfBranches(t *testing.T) {
	branch := encode.Subgraph{
		Tensors: []encode.Tensor{floats("x", 4), floats("y", 4)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorMAX_POOL_2D, []int{0}, []int{1})},
	}
	tensors := []encode.Tensor{{Name: "cond", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, floats("in", 4), floats("out", 4), floats("end", 4)}
	after := operator(schema.BuiltinOperatorMAX_POOL_2D, []int{2}, []int{3})
	m := encode.Model{Subgraphs: []encode.Subgraph{
		{Tensors: tensors, Inputs: []int{0, 1}, Outputs: []int{3}, Operators: []encode.Operator{choose([]int{0, 1}, []int{2}), after}}, branch, branch,
	}}
	if d := cmp.Diff([]string{"0:1>1:0", "0:2>1:1", "0:1>2:0", "0:2>2:1"}, taken(t, m, rules.SafeAlias)); d != "" {
		t.Error(d)
	}
	m.Subgraphs[0].Operators[1].Inputs = []int{1}
	m.Subgraphs[0].Outputs = []int{2, 3}
	if d := cmp.Diff([]string{"0:2>1:1", "0:2>2:1"}, taken(t, m, rules.SafeAlias)); d != "" {
		t.Error(d)
	}
}
