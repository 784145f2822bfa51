package benchmarks

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// fitGoals are what [BenchmarkFit] asks for: the least heads, and a budget that no model
// meets.
var fitGoals = []struct {
	name string
	goal shrink.Goal
}{
	{"least", shrink.Goal{Alias: rules.NoAlias}},
	{"least-safe", shrink.Goal{Alias: rules.SafeAlias}},
	{"least-elementwise", shrink.Goal{Alias: rules.ElementwiseAlias}},
	{"least-overwrite", shrink.Goal{Alias: rules.OverwriteAlias}},
	{"unmet-overwrite", shrink.Goal{Alias: rules.OverwriteAlias, Budget: 1}},
}

// BenchmarkFit makes the models of the corpus with up to 200 operators fit.
func BenchmarkFit(b *testing.B) {
	for _, f := range corpus.Accepted(b) {
		if strings.HasPrefix(f.Name, "bad/") {
			continue
		}
		m, err := tflite.Open(f.Path)
		if err != nil {
			b.Fatal(err)
		}
		if len(m.Subgraphs) == 0 || len(m.Subgraphs[0].Operators) > 200 {
			continue
		}
		for _, x := range fitGoals {
			b.Run(f.Name+"/"+x.name, func(b *testing.B) { benchmarkFit(b, m, x.goal) })
		}
	}
}

func benchmarkFit(b *testing.B, m *tflite.Model, g shrink.Goal) {
	g.MaxOverhead, g.Device = -1, rules.DefaultDevice()
	for range b.N {
		r, err := shrink.Fit(b.Context(), m, g)
		if err != nil {
			b.Fatal(err)
		}
		best := r.Steps[r.Best]
		b.ReportMetric(float64(best.Head)/float64(max(r.Steps[0].Head, 1)), "head/own")
	}
}
