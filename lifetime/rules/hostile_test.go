package rules_test

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/mutate"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestNothingTakesOver: an operator whose only output, or whose input, is left out (-1)
// shares no memory.
func TestNothingTakesOver(t *testing.T) {
	tensors := []encode.Tensor{floats("a", 4), floats("b", 4)}
	for _, code := range []schema.BuiltinOperator{
		schema.BuiltinOperatorRELU, schema.BuiltinOperatorCONCATENATION, schema.BuiltinOperatorPAD, schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorSLICE,
	} {
		for _, op := range []encode.Operator{operator(code, []int{0}, []int{-1}), operator(code, []int{-1}, []int{1}), operator(code, []int{-1, 0}, []int{-1, 1})} {
			for _, alias := range rules.Aliases() {
				if list := taken(t, one(tensors, op), alias); len(list) > 0 {
					t.Errorf("%s of %v makes %v, --alias %s: %v", code, op.Inputs, op.Outputs, alias, list)
				}
			}
		}
	}
}

// TestTakeoversOfTheZoo: whatever operators have in the place of their inputs, outputs and
// options, a takeover is of two records that there are, and is within what it takes over.
func TestTakeoversOfTheZoo(t *testing.T) {
	all := 0
	for _, code := range mutate.Codes() {
		for _, options := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			m, err := tflite.Parse(mutate.Zoo(code, options), "zoo")
			if err != nil {
				continue // it calls itself
			}
			for _, runtime := range rules.Names() {
				r, err := rules.Lookup(runtime)
				if err != nil {
					t.Fatal(err)
				}
				v, err := r.View(m, -1)
				if err != nil {
					t.Fatal(err)
				}
				for _, alias := range rules.Aliases() {
					all += len(v.Takeovers(alias))
					checkTakeovers(t, v, alias)
				}
			}
		}
	}
	if all == 0 {
		t.Error("nothing in the zoo takes over anything")
	}
}

func checkTakeovers(t *testing.T, v *rules.View, alias rules.Alias) {
	t.Helper()
	records := v.Remaining(alias)
	for _, x := range v.Takeovers(alias) {
		if x.From < 0 || x.To < 0 || x.From >= len(records) || x.To >= len(records) || x.From == x.To {
			t.Errorf("%s: record %d takes over record %d of %d", x.Why, x.To, x.From, len(records))
		} else if from, to := records[x.From], records[x.To]; x.Offset > 0 && x.Offset+to.Size > from.Size {
			t.Errorf("%s: %d B at %d of %d B", x.Why, to.Size, x.Offset, from.Size)
		}
	}
}
