package split_test

import (
	"errors"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// chain returns a network of unary operators over some tensors of 1x4x2x1, given by their
// inputs and outputs; tensor 0 comes in, the last one goes out. What constant names is one.
func chain(t *testing.T, tensors, constant int, edges ...[2]int) *tflite.Model {
	t.Helper()
	n := &network{read: map[int]int{}, kind: schema.TensorTypeFLOAT32}
	n.sub.Name, n.sub.Inputs, n.sub.Outputs = "main", []int{0}, []int{tensors - 1}
	for i := range tensors {
		n.tensor(1, 4, 2, 1)
		if i == constant {
			n.embed(i, make([]byte, 32))
		}
	}
	for _, e := range edges {
		n.add(encode.Operator{Builtin: schema.BuiltinOperatorRELU}, e[1], e[0])
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{n.sub}, Buffers: n.data}), "chain")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An operator that reads what is not made yet, or makes what there is already, is refused
// in each mode, and no run has it.
func TestDisorder(t *testing.T) {
	none := -1
	for name, test := range map[string]struct {
		model *tflite.Model
		want  string
	}{
		"in order":            {chain(t, 3, none, [2]int{0, 1}, [2]int{1, 2}), ""},
		"reads itself":        {chain(t, 3, none, [2]int{1, 1}, [2]int{1, 2}), "operator 0 RELU cannot be cut: its input 0 is not made before it"},
		"reads a later one":   {chain(t, 4, none, [2]int{2, 1}, [2]int{0, 2}, [2]int{1, 3}), "operator 0 RELU cannot be cut: its input 0 is not made before it"},
		"writes on its input": {chain(t, 3, none, [2]int{0, 1}, [2]int{1, 1}, [2]int{1, 2}), "operator 1 RELU cannot be cut: its output has another source"},
		"makes it again":      {chain(t, 3, none, [2]int{0, 1}, [2]int{0, 1}, [2]int{1, 2}), "operator 1 RELU cannot be cut: its output has another source"},
		"constant made again": {chain(t, 4, 1, [2]int{1, 2}, [2]int{1, 2}, [2]int{0, 3}), "operator 1 RELU cannot be cut: its output has another source"},
	} {
		t.Run(name, func(t *testing.T) { checkRefused(t, test.model, test.want) })
	}
}

func checkRefused(t *testing.T, m *tflite.Model, want string) {
	t.Helper()
	s := split.Stage{Last: len(m.Subgraphs[0].Operators) - 1, Columns: 1}
	for _, s.Mode = range []split.Mode{split.Recompute, split.Keep} {
		for s.Rows = 1; s.Rows <= 4; s.Rows++ {
			_, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
			if got := message(err); got != want {
				t.Errorf("%+v: %q, want %q", s, got, want)
			}
		}
	}
	for i, err := range split.Cuttable(m) {
		if err == nil {
			continue
		}
		if got := message(err); got != want {
			t.Errorf("operator %d: %q, want %q", i, got, want)
		}
		for _, r := range runs(m) {
			if r.First <= i && i <= r.Last {
				t.Errorf("run %+v, and %v", r, err)
			}
		}
	}
}

// message returns what an UncuttableError says.
func message(err error) string {
	if e := new(split.UncuttableError); errors.As(err, &e) {
		return e.Error()
	}
	return ""
}
