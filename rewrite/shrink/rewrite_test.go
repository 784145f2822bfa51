package shrink

import (
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestRewriteHidesNothing: without tiles and rules, package improve finds orders and plans that are as good as those of this
// package if it may ignore LiteRT, and no better ones if it may not.
func TestRewriteHidesNothing(t *testing.T) {
	var list []*tflite.Model
	for _, name := range []string{"corner/lyragan", "corner/rope", "nets/hair_segmentation"} {
		list = append(list, sample.OpenFile(t, filepath.Join(corpus.Dir(t), "models", name+".tflite")))
	}
	for seed := range uint64(60) {
		list = append(list, modelfile.Parse(t, network.Draw(seed)), modelfile.Parse(t, network.Convolutions(seed, 1)))
	}
	moved := 0
	for _, m := range list {
		for _, a := range rules.Aliases() {
			free, err := improve.Improve(t.Context(), m, improve.Goal{Reorder: true, Alias: a, IgnoreLiteRT: true})
			if err != nil {
				t.Fatal(err)
			}
			careful, err := improve.Improve(t.Context(), m, improve.Goal{Reorder: true, Alias: a})
			if err != nil {
				t.Fatal(err)
			}
			g := &Goal{MaxOverhead: -1, Alias: a, Device: rules.DefaultDevice(), tuning: complete()}
			s, err := newSearch(t.Context(), m, g)
			if err != nil {
				t.Fatal(err)
			}
			s.proposers = slices.DeleteFunc(s.proposers, func(p proposer) bool { return p.name == "clean-up" || p.name == "substitution" })
			if err := s.untiled(t.Context(), []rules.Alias{a}); err != nil {
				t.Fatal(err)
			}
			if best, _ := s.best(g); best.Required < free.After.Required || best.Required > careful.After.Required {
				t.Errorf("%s of %d operators, %s: rewritten, it requires %d to %d B, fitted %d", m.Name, len(m.Subgraphs[0].Operators), a, free.After.Required, careful.After.Required, best.Required)
			}
			if free.Moved > 0 {
				moved++
			}
		}
	}
	if moved < 20 {
		t.Errorf("other orders of %d models", moved)
	}
}
