package verify

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
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
