package shrink

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// TestFitsCalls: models whose operators call subgraphs and keep variables are tiled between these
// operators. The files are valid, compute the same from run to run in both runtimes, and have the heads
// that the report states.
func TestFitsCalls(t *testing.T) {
	long(t)
	oracle.Require(t)
	const networks = 12
	tiled, smaller := make([]int, networks), make([]int, networks)
	oracle.Each(t, networks, func(t *testing.T, runtimes *oracle.Runtimes, seed int) {
		m, err := tflite.Parse(network.Calling(uint64(seed), 2), fmt.Sprint("calling ", seed))
		if err != nil {
			t.Fatal(err)
		}
		g := goal()
		g.Device, g.LeastHead, g.Alias = oracle.Device(t), true, rules.Aliases()[seed%len(rules.Aliases())]
		r, err := Fit(t.Context(), m, g)
		if err != nil {
			t.Fatal(err)
		}
		own := answers(t, runtimes, m, m.Data)
		for i := range r.Steps {
			step := &r.Steps[i]
			if step.Data == nil {
				step.Data = m.Data
			}
			checkRuns(t, runtimes, m, step, own)
			if len(step.Stages) > 0 {
				tiled[seed] = 1
				if step.Head < r.Steps[0].Head {
					smaller[seed] = 1
				}
			}
		}
	})
	count := func(list []int) (n int) {
		for _, k := range list {
			n += k
		}
		return n
	}
	if count(tiled) < 5 || count(smaller) < 5 {
		t.Errorf("of %d models, %d are tiled and %d smaller for it: too few to tell", networks, count(tiled), count(smaller))
	}
}

// answers runs a file of a model in both runtimes, several times each so that state shows.
func answers(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model, data []byte) map[string]oracle.Answer {
	t.Helper()
	list := map[string]oracle.Answer{}
	for _, runtime := range []string{"tflm", "litert"} {
		list[runtime] = runtimes.Run(t, oracle.Request{
			Runtime: runtime, Model: sample.Written(t, data), Arena: 4 << 20, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs), Seed: 1, Invokes: 3,
		})
	}
	return list
}

// checkRuns compares a candidate with the unmodified model, verifies its plan, and compares its head with
// that of the runtime.
func checkRuns(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model, c *Candidate, own map[string]oracle.Answer) {
	t.Helper()
	out, err := tflite.Parse(c.Data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := verify.Plan(out); err != nil || !v.OK() {
		t.Errorf("%s, %s: %v %v", m.Name, c.Name, v, err)
	}
	got := answers(t, runtimes, m, c.Data)
	for runtime, a := range got {
		sample.SameRun(t, fmt.Sprintf("%s with %s, %+v in %s", m.Name, c.Alias, c.Stages, runtime), own[runtime], a)
	}
	if a := got["tflm"]; a.Error != "" || a.Head != c.Head {
		t.Errorf("%s with %s, %+v: head %d, reported %d %s", m.Name, c.Alias, c.Stages, a.Head, c.Head, a.Error)
	}
}

// TestTilesModelsWithCalls: the same of single tiled runs of real models.
func TestTilesModelsWithCalls(t *testing.T) {
	long(t)
	oracle.Require(t)
	dir := corpus.Dir(t)
	names := []string{"micro/okay_nabu_v2.tflite", "corner/resource_vars_calibrated.bin", "corner/lyragan.tflite"}
	every, tiled := []int{3, 1, 12}, make([]int, len(names))
	oracle.Each(t, len(names), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		m, err := tflite.Open(filepath.Join(dir, "models", names[i]))
		if err != nil {
			t.Fatal(err)
		}
		g := goal()
		g.Device = oracle.Device(t)
		s, err := newSearch(t.Context(), m, &g)
		if err != nil {
			t.Fatal(err)
		}
		graph, err := s.graph(m)
		if err != nil {
			t.Fatal(err)
		}
		own := answers(t, runtimes, m, m.Data)
		k := -1
		for r := range split.ChannelRuns(m, 2) {
			if k++; k%every[i] != 0 {
				continue
			}
			p := &proposal{graph: graph, alias: rules.Aliases()[k%len(rules.Aliases())]}
			if p.path, err = s.row(graph, p.alias).Path([]split.Stage{{First: r.First, Last: r.Last, Rows: 1, Columns: 1, Channels: 2, Alias: p.alias}}); err != nil {
				t.Fatal(err)
			}
			if s.build(p) != nil || s.plan(t.Context(), p, s.rounds[surveyed].effort) != nil {
				t.Errorf("%s: %+v is not built", m.Name, p.path.Stages)
				continue
			}
			tiled[i]++
			c, err := s.written(p)
			if err != nil {
				t.Fatal(err)
			}
			checkRuns(t, runtimes, m, c, own)
		}
	})
	for i, n := range tiled {
		if n < 1 {
			t.Errorf("%s: %d tiled runs: too few to tell", names[i], n)
		}
	}
}
