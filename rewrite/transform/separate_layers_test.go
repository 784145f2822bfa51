package transform

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// TestSeparateLayers: Separate applies the rule whether it saves memory or not, and each layer has its own weights.
func TestSeparateLayers(t *testing.T) {
	seen := 0
	for seed := range uint64(40) {
		d := newDraft(1, seed)
		m := d.parse(t, generators["separate-layers"](d))
		r, err := Separate(m, Options{Device: reference(t)})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Applied) == 0 {
			continue
		}
		seen++
		layer, parts := &m.Subgraphs[0].Operators[0], m.Subgraphs[0].Operators[1].Outputs
		if r.Applied[0].Rule != &separateLayers || len(r.Applied[0].Operators) != 1 || r.Model.OperatorCount() != m.OperatorCount()-2+len(parts) {
			t.Errorf("model %d: %v makes %d operators of %d", seed, r.Applied, r.Model.OperatorCount(), m.OperatorCount())
		}
		for _, position := range []int{1, 2} {
			before := m.Subgraphs[0].Operand(layer.Inputs, position)
			if before == nil {
				continue
			}
			if got := separated(r.Model, position, len(parts)); !slices.Equal(got, m.Buffer(before).Data) {
				t.Errorf("model %d: input %d is divided into %v, was %v", seed, position, got, m.Buffer(before).Data)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d models were changed", seen)
	}
}

// separated joins the constants of the first operators.
func separated(m *tflite.Model, position, operators int) (data []byte) {
	s := &m.Subgraphs[0]
	for i := range operators {
		data = append(data, m.Buffer(s.Operand(s.Operators[i].Inputs, position)).Data...)
	}
	return data
}
