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

// strips returns a model that takes rows [0, 3), [2, 5) and [5, 8) of a tensor of 8 rows of 16
// bytes, each with a STRIDED_SLICE or, on request, the last two with a SLICE, and pools each.
func strips(slice bool) encode.Model {
	tensors := []encode.Tensor{floats("in", 1, 8, 2, 2), {Name: "ones", Type: schema.TensorTypeINT32, Shape: []int32{4}, Buffer: 1}}
	m := encode.Model{Buffers: []encode.Buffer{ints(1, 1, 1, 1)}}
	var operators []encode.Operator
	var outputs []int
	for _, rows := range [][2]int32{{0, 3}, {2, 5}, {5, 8}} {
		n := len(tensors)
		m.Buffers = append(m.Buffers, ints(0, rows[0], 0, 0), ints(1, rows[1], 2, 2))
		tensors = append(tensors,
			encode.Tensor{Name: "begin", Type: schema.TensorTypeINT32, Shape: []int32{4}, Buffer: len(m.Buffers) - 1},
			encode.Tensor{Name: "end", Type: schema.TensorTypeINT32, Shape: []int32{4}, Buffer: len(m.Buffers)},
			floats("strip", 1, 3, 2, 2), floats("out", 1, 3, 2, 2))
		cut := operator(schema.BuiltinOperatorSTRIDED_SLICE, []int{0, n, n + 1, 1}, []int{n + 2})
		cut.OptionsType = schema.BuiltinOptionsStridedSliceOptions
		cut.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.StridedSliceOptionsStart(b)
			return schema.StridedSliceOptionsEnd(b)
		}
		if slice && rows[0] > 0 {
			m.Buffers[len(m.Buffers)-1] = ints(1, rows[1]-rows[0], 2, 2)
			cut = operator(schema.BuiltinOperatorSLICE, []int{0, n, n + 1}, []int{n + 2})
		}
		operators = append(operators, cut, operator(schema.BuiltinOperatorMAX_POOL_2D, []int{n + 2}, []int{n + 3}))
		outputs = append(outputs, n+3)
	}
	m.Subgraphs = []encode.Subgraph{{Tensors: tensors, Inputs: []int{0}, Outputs: outputs, Operators: operators}}
	return m
}

// TestRemaining: a tensor that is read slice by slice holds the bytes that later slices read,
// at no other alias level.
func TestRemaining(t *testing.T) {
	gaps := func(m encode.Model, a rules.Alias) string {
		v := view(t, m, "tflm")
		return fmt.Sprint(v.Remaining(a)[0].Gaps)
	}
	const none = "[]"
	for _, a := range []rules.Alias{rules.NoAlias, rules.SafeAlias, rules.ElementwiseAlias} {
		if got := gaps(strips(false), a); got != none {
			t.Errorf("%s: %s", a, got)
		}
	}
	for _, slice := range []bool{false, true} {
		if got, want := gaps(strips(slice), rules.OverwriteAlias), "[{2 3 32 128} {4 5 80 128}]"; got != want {
			t.Errorf("SLICE %t: got %s, want %s", slice, got, want)
		}
	}
	other := strips(true) // a SLICE of as many elements, but further down than its output shape suggests
	other.Buffers[4] = ints(1, 6, 1, 2)
	if got, want := gaps(other, rules.OverwriteAlias), "[{4 5 80 128}]"; got != want {
		t.Errorf("a size of another shape: got %s, want %s", got, want)
	}
	rest := strips(true)
	rest.Buffers[len(rest.Buffers)-1] = ints(1, -1, -1, 2)
	if got, want := gaps(rest, rules.OverwriteAlias), "[{2 3 32 128} {4 5 80 128}]"; got != want {
		t.Errorf("the rest: got %s, want %s", got, want)
	}
	for _, damage := range []func(op *encode.Operator){
		func(op *encode.Operator) { op.Inputs[0] = -1 },
		func(op *encode.Operator) { op.Outputs = nil },
		func(op *encode.Operator) { op.Outputs = []int{-1} },
	} {
		damaged := strips(true)
		damage(&damaged.Subgraphs[0].Operators[2])
		v := view(t, damaged, "tflm")
		v.Remaining(rules.OverwriteAlias)
		v.Takeovers(rules.SafeAlias)
	}
	again := strips(false)
	s := &again.Subgraphs[0]
	s.Operators = append(s.Operators, operator(schema.BuiltinOperatorMAX_POOL_2D, []int{0}, []int{len(s.Tensors)}))
	s.Tensors = append(s.Tensors, floats("whole", 1, 8, 2, 2))
	if got := gaps(again, rules.OverwriteAlias); got != none {
		t.Errorf("read whole at the end: %s", got)
	}
	kept := strips(false)
	kept.Subgraphs[0].Outputs = append(kept.Subgraphs[0].Outputs, 0)
	if got := gaps(kept, rules.OverwriteAlias); got != none {
		t.Errorf("an output of the graph: %s", got)
	}
	hostile := strips(false)
	hostile.Buffers[5] = ints(0, 1<<30, 0, 0)
	if got := gaps(hostile, rules.OverwriteAlias); got != none {
		t.Errorf("a slice from behind the end: %s", got)
	}
}

// TestRemainingBesideBranches: the inputs of an IF are read until its branches have run, since
// they are copied one after another.
func TestRemainingBesideBranches(t *testing.T) {
	m := strips(false)
	s := &m.Subgraphs[0]
	n := len(s.Tensors)
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "cond", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, floats("chosen", 1, 8, 2, 2))
	s.Inputs = append(s.Inputs, n)
	// The IF replaces the first slice, so that nothing reads the first two rows later.
	s.Operators = append([]encode.Operator{choose([]int{n, 0}, []int{n + 1})}, s.Operators[2:]...)
	s.Outputs = append(s.Outputs[1:], n+1)
	branch := encode.Subgraph{
		Tensors: []encode.Tensor{floats("x", 1, 8, 2, 2), floats("y", 1, 8, 2, 2)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorMAX_POOL_2D, []int{0}, []int{1})},
	}
	m.Subgraphs = append(m.Subgraphs, branch, branch)
	// The IF is at 1, the branches at 2 to 5, and the slices at 6 and 8.
	if got, want := fmt.Sprint(view(t, m, "tflm").Remaining(rules.OverwriteAlias)[0].Gaps), "[{6 6 32 128} {7 8 80 128}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTakeoversOfPad: input and output end together if the input dies and is not a graph
// output.
func TestTakeoversOfPad(t *testing.T) {
	pad := func(outputs ...int) encode.Model {
		m := one([]encode.Tensor{
			floats("in", 1, 2, 2, 4), floats("small", 1, 2, 2, 4), {Name: "pads", Type: schema.TensorTypeINT32, Shape: []int32{4, 2}, Buffer: 1}, floats("large", 1, 3, 3, 4),
		}, operator(schema.BuiltinOperatorMAX_POOL_2D, []int{0}, []int{1}), operator(schema.BuiltinOperatorPAD, []int{1, 2}, []int{3}))
		m.Buffers, m.Subgraphs[0].Outputs = []encode.Buffer{ints(0, 0, 1, 0, 0, 1, 0, 0)}, outputs
		return m
	}
	v := view(t, pad(3), "tflm")
	list := v.Takeovers(rules.ElementwiseAlias)
	if len(list) != 1 || v.Records()[list[0].From].ID != "0:1" || v.Records()[list[0].To].ID != "0:3" || list[0].Offset != -80 {
		t.Errorf("got %v", list)
	}
	if d := cmp.Diff([]string(nil), taken(t, pad(3), rules.SafeAlias)); d != "" {
		t.Errorf("safe: %s", d)
	}
	if d := cmp.Diff([]string(nil), taken(t, pad(1, 3), rules.ElementwiseAlias)); d != "" {
		t.Errorf("an output of the graph: %s", d)
	}
}
