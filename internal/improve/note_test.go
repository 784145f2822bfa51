package improve

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Notes say what was found out, by kind; no text names a flag of the command.
func TestNotes(t *testing.T) {
	for _, c := range []struct {
		model string
		goal  Goal
		want  Kind
	}{
		{"siamese_arena", Goal{Reorder: true}, LargerInLiteRT},
		{"reorder_litert", Goal{Reorder: true}, WrongIfOrdered},
		{"reorder_litert", Goal{Reorder: true, IgnoreLiteRT: true}, StillWrong},
		{"pools.int8", Goal{Alias: rules.SafeAlias}, AtBound},
		{"attention.f32", Goal{Reorder: true}, OrderAlone},
		{"elu", Goal{Alias: rules.OverwriteAlias}, TakesOver},
	} {
		if c.model == "siamese_arena" && testing.Short() {
			continue // two seconds
		}
		m := found(t, c.model)
		o := improved(t, m, c.goal)
		all := append(append([]Note{o.Reason}, o.Notes...), o.Warnings...)
		if !slices.Contains(kinds(all), c.want) {
			t.Errorf("%s: %+v, want %v among them", c.model, all, c.want)
		}
		for _, n := range all {
			if strings.Contains(n.Text, "--") || n.Text == "" && n.Kind != Asked {
				t.Errorf("%s: %+v", c.model, n)
			}
		}
		if takes := slices.Contains(kinds(o.Notes), TakesOver); takes != (len(o.Takeovers) > 0) {
			t.Errorf("%s: takeovers %v, and a note: %v", c.model, o.Takeovers, takes)
		}
	}
}

// withPlan returns a network with its plan changed: at a word, as package rewrite has them.
func withPlan(t *testing.T, word int, value int32) *tflite.Model {
	t.Helper()
	m := modelfile.Parse(t, improved(t, network(t, "blazeface"), Goal{Pin: "all"}).Data)
	plans, err := rewrite.ReadPlans(m)
	if err != nil || len(plans) != 1 {
		t.Fatal(plans, err)
	}
	data := bytes.Clone(m.Data)
	binary.LittleEndian.PutUint32(data[plans[0].At+int64(4*word):], uint32(value))
	return modelfile.Parse(t, data)
}

func TestPlanInTrouble(t *testing.T) {
	for _, c := range []struct {
		name  string
		word  int
		value int32
		want  Kind
	}{
		{"so many tensors", 2, 1 << 20, PlanUnfollowed},
		{"in front of the arena", 3, -7, PlanUnfollowed},
		{"at no multiple of 16", 3, 8, PlanBroken},
	} {
		o := improved(t, withPlan(t, c.word, c.value), Goal{})
		if !o.PlanBroken || !slices.Equal(kinds(o.Warnings), []Kind{c.want}) || o.Action != Embedded || o.Saved != o.Online-o.After.Head {
			t.Errorf("%s: %v, broken %v, saved %d: %+v", c.name, o.Action, o.PlanBroken, o.Saved, o.Warnings)
		}
	}
}

// TestPlanGoes: a plan is removed if the runtime does as well without it, or if it is broken
// and no plan improves on none.
func TestPlanGoes(t *testing.T) {
	goal := Goal{Strategy: "naive"} // whose plans are no gain
	o := improved(t, withPlan(t, 3, 8), goal)
	if o.Action != Removed || o.Reason.Kind != WasBroken || !strings.Contains(o.Reason.Text, "no plan by naive") {
		t.Errorf("%v, %+v", o.Action, o.Reason)
	}
	o = improved(t, withPlan(t, 3, -7), goal)
	if o.Action != Removed || o.Reason.Kind != NotFollowed {
		t.Errorf("%v, %+v", o.Action, o.Reason)
	}
}

// A model of the compiler Vela stays as it is, and its plan is not taken out for nothing.
func TestVela(t *testing.T) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "models", "micro", "person_detect_vela.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	unchanged(t, improved(t, m, Goal{Reorder: true}), m, Kept, ForeignStays)
	var refused *rewrite.RefusedError
	if _, err := Improve(context.Background(), m, Goal{Remove: true}); !errors.As(err, &refused) || !refused.Force {
		t.Errorf("its plan is taken out: %v", err)
	}
}

// A model that nobody can plan for is an error with a type.
func TestCircle(t *testing.T) {
	m := row(t, 0, 1)
	m.Subgraphs[0].Operators[0].Inputs[0] = 2
	var invalid *ModelError
	if _, err := Improve(context.Background(), m, Goal{Toposort: true}); !errors.As(err, &invalid) {
		t.Errorf("operators in a circle: %v", err)
	}
}
