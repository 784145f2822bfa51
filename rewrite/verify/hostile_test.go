package verify

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// wide returns one operator that makes n tensors at once, all at offset 0.
func wide(t *testing.T, n int, operator encode.Operator) *tflite.Model {
	t.Helper()
	var s encode.Subgraph
	for i := range n {
		s.Tensors = append(s.Tensors, encode.Tensor{Shape: []int32{1}})
		operator.Outputs = append(operator.Outputs, i)
	}
	s.Operators = []encode.Operator{operator}
	return sample.Planned(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, make([]int32, n)...)
}

// However many pairs overlap, the list of findings stays short and the verdict
// right.
func TestManyOverlaps(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		operator encode.Operator
		ok       bool
	}{
		{"few", 10, encode.Operator{Builtin: schema.BuiltinOperatorSPLIT}, false},
		{"many", 1000, encode.Operator{Builtin: schema.BuiltinOperatorSPLIT}, false},
		{"many intended", 1000, encode.Operator{Custom: "ethos-u"}, true},
		{"too many to tell apart", 5000, encode.Operator{Custom: "ethos-u"}, false},
	} {
		v := verify(t, wide(t, c.n, c.operator))
		if v.OK() != c.ok {
			t.Errorf("%s: OK is %v", c.name, v.OK())
		}
		pairs := c.n * (c.n - 1) / 2
		if n := len(v.Findings); n == 0 || n > pairs || n > 2*maxOverlaps+2 {
			t.Errorf("%s: %d findings for %d pairs", c.name, n, pairs)
		}
	}
}

// A plan in which very many outputs take over inputs is not another tool's: those that are not listed
// are takeovers, too.
func TestManyTakeovers(t *testing.T) {
	const n = maxOverlaps + 50
	s := encode.Subgraph{Tensors: []encode.Tensor{{Shape: []int32{8}}}, Inputs: []int{0}, Outputs: []int{n}}
	for i := range n {
		s.Tensors = append(s.Tensors, encode.Tensor{Shape: []int32{8}})
		s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{i}, Outputs: []int{i + 1}})
	}
	m := sample.Planned(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, make([]int32, n+1)...)
	v := verify(t, m)
	if n := len(v.Findings); !v.OK() || v.Aliases() != 0 || n != maxOverlaps+1 {
		t.Errorf("%d findings, OK is %v, %d pairs that no takeover explains", n, v.OK(), v.Aliases())
	}
	if why := v.Plans[0].Foreign(m, v.Aliases()); why != "" {
		t.Errorf("the plan is another tool's: %s", why)
	}
}

// Where there are too many pairs to look at one by one, but none overlaps, the plan
// is still right.
func TestManyTensors(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 12,000 tensors alive at a time")
	}
	const n = 12000
	m := wide(t, n, encode.Operator{Builtin: schema.BuiltinOperatorSPLIT})
	offsets := make([]int32, n)
	for i := range offsets {
		offsets[i] = int32(i) * rewrite.Alignment
	}
	_, out := embed(t, m, offsets)
	if v := verify(t, out); !v.OK() || v.Head != n*rewrite.Alignment {
		t.Errorf("head %d, findings %v", v.Head, v.Findings)
	}
	offsets[n-1] = 0
	_, out = embed(t, m, offsets)
	if verify(t, out).OK() {
		t.Error("an overlap was not seen")
	}
}
