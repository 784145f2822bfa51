package transform

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/rewrite"
)

// TestRemovedInARow: of operators in a row, none is removed whose reader would see another shape.
func TestRemovedInARow(t *testing.T) {
	for name, shapes := range map[string][][]int32{
		"again and to the same": {{3, 4}, {3, 4}},
		"again and again":       {{12}, {4, 3}, {3, 4}},
		"to the same twice":     {{2, 6}, {2, 6}},
		"there and back":        {{3, 4}, {2, 6}},
	} {
		d := plainDraft()
		x := d.input(f32, 2, 6)
		for _, shape := range shapes {
			x = d.reshape(x, shape...)
		}
		m := d.parse(t, d.relu(d.transpose(x, 1, 0)))
		r := substituted(t, "reference", false, m)
		if len(r.Applied) == 0 {
			t.Errorf("%s: nothing is removed", name)
		}
		operators := r.Model.Subgraphs[0].Operators
		transpose := &operators[len(operators)-2]
		if got := r.Model.Subgraphs[0].Tensors[transpose.Inputs[0]].Shape; !slices.Equal(got, shapes[len(shapes)-1]) {
			t.Errorf("%s: TRANSPOSE reads %v, not %v", name, got, shapes[len(shapes)-1])
		}
	}
}

// TestEqualScales: weights with one scale have a bias with one scale, as LiteRT demands.
func TestEqualScales(t *testing.T) {
	runtimes := oracle.Start(t)
	ran := 0
	for seed := range uint64(20) {
		d := newDraft(2, seed)
		y := d.connected(d.input(i8, 1, 16), 16, 8, false, true)
		d.sub.Tensors[y].Quantization.Scales[0] = 1. / 64 // LiteRT compares the bias in steps of the output
		m := d.parse(t, y)
		list := find(m, reference(t), []*Rule{&perChannelToPerTensor}, anywhere)
		if len(list) == 0 {
			continue
		}
		changed, _, err := apply(m, list, nil, rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "model.tflite")
		if err := os.WriteFile(path, changed.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		got := runtimes.Run(t, oracle.Request{Runtime: "litert", Model: path, Inputs: 1, Outputs: 1, Invokes: 1})
		if ran++; got.Error != "" {
			t.Errorf("seed %d: %s", seed, got.Error)
		}
	}
	if ran == 0 {
		t.Error("the rule never matched")
	}
}
