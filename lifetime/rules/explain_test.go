package rules_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// If scratch is counted, the notes are the same except for the one about uncounted memory.
func TestNotesWithScratch(t *testing.T) {
	model := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors:   []encode.Tensor{floats("in", 4), floats("out", 4), floats("unused", 4)},
		Inputs:    []int{0},
		Outputs:   []int{1},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}}},
	}}}
	for _, runtime := range rules.Names() {
		v := view(t, model, runtime)
		kinds := []rules.NoteKind{}
		for i, n := range v.NotesWithScratch() {
			kinds = append(kinds, n.Kind)
			if same := n == v.Notes[i]; same == (n.Kind == rules.NotCounted && v.Rules.IsMicro()) {
				t.Errorf("%s: %q and %q", runtime, v.Notes[i].Text, n.Text)
			}
		}
		if v.Rules.IsMicro() && !slices.Equal(kinds, []rules.NoteKind{rules.NotCounted, rules.Unused}) || len(kinds) != len(v.Notes) {
			t.Errorf("%s: notes are about %v", runtime, kinds)
		}
	}
}
