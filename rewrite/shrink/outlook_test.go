package shrink

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestOutlookIsMet: an outlook is a budget that Fit meets, within the work that it permits.
func TestOutlookIsMet(t *testing.T) {
	long(t)
	tiled := 0
	for _, m := range some(t, 12) {
		c, _, err := Outlook(t.Context(), m, rules.DefaultDevice())
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			continue
		}
		if len(c.Stages) > 0 {
			tiled++
		}
		g := goal()
		checkStep(t, m, g, c)
		g.Alias, g.Budget, g.MaxOverhead = rules.NoAlias, c.Required, LittleWork
		if r := run(t, t.Context(), m, g); !r.Met {
			t.Errorf("%s: required arena %d, an outlook has %d", m.Name, r.Steps[r.Best].Required, c.Required)
		}
	}
	if tiled == 0 {
		t.Error("no outlook is tiled")
	}
}

// TestOutlooks: for at least nine in ten models, the outlook is within 15 % of what a search of ten
// seconds finds.
func TestOutlooks(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: searches of ten seconds; -audit has them")
	}
	const models, mostBytes = 40, 8e6
	const withoutFaults = 39 // of the corpus with CMSIS-NN, whatever their size
	for _, library := range []string{"reference", "cmsis-nn-mve", "esp-nn-s3"} {
		device, err := rules.UsualDevice(library)
		if err != nil {
			t.Fatal(err)
		}
		near, all := 0, 0
		files := corpus.Accepted(t)
		for _, k := range rand.New(rand.NewPCG(1, 2)).Perm(len(files)) {
			f := files[k]
			m, err := tflite.Open(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			if all == models || len(m.Data) > mostBytes || len(device.Rules().Faults(m)) > 0 || len(m.Subgraphs[0].Operators) < 4 {
				continue
			}
			c, _, err := Outlook(t.Context(), m, device)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
			s, err := Frontier(ctx, m, Goal{MaxOverhead: -1, Alias: rules.NoAlias, Device: device})
			stop()
			if err != nil {
				t.Fatal(err)
			}
			if !s.Own.Known() {
				continue
			}
			outlook, least := s.Own.Required, s.Own.Required
			if c != nil {
				outlook = c.Required
			}
			if p, ok := s.Worthwhile(); ok {
				least = p.Required
			}
			if all++; float64(outlook) <= 1.15*float64(least) {
				near++
			} else {
				t.Logf("%s, %s: %d, after ten seconds %d", f.Name, library, outlook, least)
			}
		}
		if t.Logf("%s: %d of %d", library, near, all); all < withoutFaults || 10*near < 9*all {
			t.Errorf("%s: only %d of %d outlooks are near the result of ten seconds", library, near, all)
		}
	}
}
