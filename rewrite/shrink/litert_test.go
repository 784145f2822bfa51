package shrink

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// fitsRight fits a model, and fails where LiteRT gets one of the steps wrong that it does not
// get wrong as it is. It returns how many steps there are.
func fitsRight(t *testing.T, m *tflite.Model, g Goal) int {
	t.Helper()
	r, err := Fit(context.Background(), m, g)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	for _, step := range r.Steps {
		if step.Data == nil || len(rules.Overwritten(m)) > 0 {
			continue
		}
		fitted, err := tflite.Parse(step.Data, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := rules.Overwritten(fitted); len(wrong) > 0 {
			t.Errorf("%s, %s: %s", m.Name, step.Name, wrong[0].Describe(fitted))
		}
	}
	return len(r.Steps)
}

// A model in which the best order is one that LiteRT gets wrong stays in another.
func TestFitsAnOrderThatIsRight(t *testing.T) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "found", "reorder_litert.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range []int64{0, 5300} {
		g := goal()
		g.HeadBudget = head
		fitsRight(t, m, g)
	}
}

// Networks rich in operators that LiteRT runs in place stay right in it.
func TestFitsNetworksRight(t *testing.T) {
	steps, networks := 0, 60
	for seed := range networks {
		m, err := tflite.Parse(network.Draw(uint64(seed)), fmt.Sprintf("network %d", seed))
		if err != nil {
			t.Fatal(err)
		}
		g := goal()
		g.Alias = rules.SafeAlias
		steps += fitsRight(t, m, g)
	}
	if steps < networks+10 {
		t.Errorf("%d networks, %d steps: too few to tell", networks, steps)
	}
}
