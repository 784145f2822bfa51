package rules_test

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// graph returns a model of 32-byte tensors with input 0; each operator has a code, inputs and
// outputs.
func graph(t *testing.T, tensors int, outputs []int, operators ...encode.Operator) *tflite.Model {
	t.Helper()
	s := encode.Subgraph{Inputs: []int{0}, Outputs: outputs, Operators: operators}
	for range tensors {
		s.Tensors = append(s.Tensors, floats("t", 8))
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), "graph")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const (
	conv    = schema.BuiltinOperatorCONV_2D
	reshape = schema.BuiltinOperatorRESHAPE
	squeeze = schema.BuiltinOperatorSQUEEZE
	tanh    = schema.BuiltinOperatorTANH
	sum     = schema.BuiltinOperatorADD
	softmax = schema.BuiltinOperatorSOFTMAX
)

// makes returns an operator that makes tensor out.
func makes(out int, code schema.BuiltinOperator, in ...int) encode.Operator {
	return operator(code, in, []int{out})
}

func TestHazards(t *testing.T) {
	for _, tt := range []struct {
		name        string
		model       *tflite.Model
		hazards     []rules.Hazard
		overwritten []rules.Hazard
	}{
		{
			"the root has one reader, a name in between has two, and the other reader comes first",
			graph(t, 6, []int{4, 5}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(5, tanh, 2), makes(4, tanh, 3)),
			nil, nil, // nothing overwrites it
		},
		{
			"an operator writes over it behind the other reader",
			graph(t, 7, []int{5, 6}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(5, tanh, 2), makes(4, sum, 3, 0), makes(6, tanh, 4)),
			[]rules.Hazard{{Reader: 3, Writer: 4, Tensor: 2, Output: 4}},
			nil,
		},
		{
			"and before it",
			graph(t, 7, []int{5, 6}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(4, sum, 3, 0), makes(5, tanh, 2), makes(6, tanh, 4)),
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
		},
		{
			"the root has two readers: LiteRT sees that",
			graph(t, 6, []int{4, 5}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, sum, 2, 0), makes(4, tanh, 1), makes(5, tanh, 3)),
			nil, nil,
		},
		{
			"what only renames does not read, and another name for it does",
			graph(t, 8, []int{6, 7}, makes(1, conv, 0), makes(2, squeeze, 1), makes(3, reshape, 2), makes(4, softmax, 3), makes(5, reshape, 2), makes(6, tanh, 5), makes(7, tanh, 4)),
			[]rules.Hazard{{Reader: 5, Writer: 3, Tensor: 5, Output: 4}},
			[]rules.Hazard{{Reader: 5, Writer: 3, Tensor: 5, Output: 4}},
		},
		{
			"two that write over the same data are right in no order",
			graph(t, 8, []int{6, 7}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(4, sum, 3, 0), makes(5, softmax, 2), makes(6, tanh, 4), makes(7, tanh, 5)),
			// softmax reads 2, which has two readers, and so uses other memory.
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
		},
		{
			"two names, each written over",
			graph(t, 9, []int{7, 8}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(4, reshape, 2), makes(5, sum, 3, 0), makes(6, softmax, 4), makes(7, tanh, 5), makes(8, tanh, 6)),
			[]rules.Hazard{{Reader: 5, Writer: 4, Tensor: 4, Output: 5}, {Reader: 4, Writer: 5, Tensor: 3, Output: 6}},
			// tanh then reads the output of softmax.
			[]rules.Hazard{{Reader: 5, Writer: 4, Tensor: 4, Output: 5}, {Reader: 6, Writer: 5, Tensor: 5, Output: 6}},
		},
		{
			"a reader of both the old data and the new",
			graph(t, 6, []int{5}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(4, sum, 3, 0), makes(5, sum, 2, 4)),
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
			[]rules.Hazard{{Reader: 4, Writer: 3, Tensor: 2, Output: 4}},
		},
		{
			"the caller's tensors are left alone",
			graph(t, 6, []int{2, 5}, makes(1, reshape, 0), makes(2, conv, 1), makes(3, reshape, 2), makes(4, sum, 3, 0), makes(5, tanh, 4)),
			nil, nil,
		},
		{
			"operators in no valid order, which LiteRT refuses",
			graph(t, 4, []int{3}, makes(3, sum, 2, 2), makes(2, reshape, 1), makes(1, conv, 0)),
			nil, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want(t, "hazards", tt.hazards, rules.Hazards(tt.model))
			want(t, "overwritten", tt.overwritten, rules.Overwritten(tt.model))
		})
	}
}

func TestDescribeHazard(t *testing.T) {
	m := graph(t, 7, []int{5, 6}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, reshape, 2), makes(4, sum, 3, 0), makes(5, tanh, 2), makes(6, tanh, 4))
	got := rules.Overwritten(m)[0].Describe(m)
	for _, part := range []string{"operator 0:3 ADD writes its output, tensor 0:4", "into the memory of tensor 0:2", "before operator 0:4 TANH reads that"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in %q", part, got)
		}
	}
}

// LiteRT shares the memory of a graph output with further readers, and gives up if the first
// input qualifies but its root does not, even if the second would qualify.
func TestInPlaceToTheLetter(t *testing.T) {
	for _, tt := range []struct {
		name    string
		model   *tflite.Model
		aliased []int
	}{
		{"from a graph output", graph(t, 4, []int{1, 3}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, tanh, 2)), []int{2}},
		{"to a graph output", graph(t, 3, []int{2}, makes(1, conv, 0), makes(2, reshape, 1)), nil},
		{"nothing is written over a graph output", graph(t, 5, []int{1, 4}, makes(1, conv, 0), makes(2, reshape, 1), makes(3, sum, 2, 0), makes(4, tanh, 3)), []int{2}},
		{"the second input", graph(t, 5, []int{3, 4}, makes(1, conv, 0), makes(2, sum, 0, 1), makes(3, tanh, 2), makes(4, tanh, 0)), []int{2}},
		{"not the second input of SOFTMAX", graph(t, 5, []int{3, 4}, makes(1, conv, 0), makes(2, softmax, 0, 1), makes(3, tanh, 2), makes(4, tanh, 0)), nil},
		{
			"the first input's root is read elsewhere",
			graph(t, 8, []int{6, 7}, makes(1, conv, 0), makes(2, reshape, 1), makes(6, tanh, 1), makes(3, conv, 0), makes(4, sum, 2, 3), makes(7, tanh, 4)),
			[]int{2},
		},
		{"twice the same", graph(t, 4, []int{3}, makes(1, conv, 0), makes(2, sum, 1, 1), makes(3, tanh, 2)), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rules.LiteRT()
			r.InPlace = true
			v, err := r.View(tt.model, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, l := range v.LeftOut {
				if l.Reason == rules.Aliased {
					got = append(got, l.Tensor)
				}
			}
			want(t, "tensors that share", tt.aliased, got)
		})
	}
}
