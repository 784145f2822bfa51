package transform

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

var networks = flag.Int("networks", 0, "how many random models of each rule run before and after it: 0 for 4, or 300 with -audit")

// drawn returns how many models of each rule run.
func drawn() int {
	switch {
	case *networks > 0:
		return *networks
	case *golden.Audit:
		return 300
	}
	return 4
}

// reference is the device of the runtime's own kernels.
func reference(t testing.TB) rules.Device { return device(t, "reference") }

func device(t testing.TB, library string) rules.Device {
	t.Helper()
	d, err := rules.UsualDevice(library)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// forced applies a rule wherever it matches, or returns nil if it does nowhere.
func forced(t testing.TB, m *tflite.Model, r *Rule) *tflite.Model {
	t.Helper()
	list := find(m, reference(t), []*Rule{r}, anywhere)
	if len(list) == 0 {
		return nil
	}
	changed, _, err := apply(m, list, nil, rewrite.Options{})
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	return changed
}

// TestRulesExact: random models have the same outputs before and after each rule, bit by bit, in the runtimes for which
// the rule says so.
func TestRulesExact(t *testing.T) {
	list := of(Memory, Work, Tiling)
	oracle.Each(t, len(list), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		e := exactness{T: t, rule: list[i], runtimes: runtimes, ran: map[string]int{}, differ: map[string]int{}}
		draw := generators[e.rule.Name]
		if draw == nil {
			t.Errorf("%s has no random models", e.rule.Name)
			return
		}
		tries := 0
		for ; e.matched < drawn() && tries < 10*drawn(); tries++ {
			d := newDraft(1, uint64(tries))
			e.compare(d.parse(t, draw(d)), tries)
		}
		t.Logf("%s matches %d of %d models; runs %v; unequal %v", e.rule.Name, e.matched, tries, e.ran, e.differ)
		if e.matched < drawn() || e.ran["tflm"] < e.matched || 2*e.ran["tflm with outputs that change"] < e.matched {
			t.Errorf("%s matches %d of %d models; runs %v", e.rule.Name, e.matched, tries, e.ran)
		}
	})
}

// exactness compares models before and after a rule.
type exactness struct {
	*testing.T
	rule        *Rule
	runtimes    *oracle.Runtimes
	matched     int
	ran, differ map[string]int
}

// compare runs a model and what a rule makes of it.
func (e *exactness) compare(m *tflite.Model, seed int) {
	e.Helper()
	after := forced(e, m, e.rule)
	if after == nil {
		return
	}
	e.matched++
	for _, x := range reference(e).Rules().Faults(after) {
		if x.Fails {
			e.Errorf("%s, model %d: %v", e.rule.Name, seed, x)
		}
	}
	a := oracle.Request{
		Runtime: "tflm", Model: sample.Written(e.T, m.Data), Arena: 1 << 20, Seed: int64(seed), Invokes: 2,
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	b := a
	b.Model = sample.Written(e.T, after.Data)
	e.run("tflm", a, b, true)
	for kernels, equal := range map[string]bool{"BUILTIN_REF": e.rule.Exact.Reference, "BUILTIN_WITHOUT_DEFAULT_DELEGATES": e.rule.Exact.LiteRT} {
		a.Runtime, a.Kernels, b.Runtime, b.Kernels = "litert", kernels, "litert", kernels
		e.run(kernels, a, b, equal)
	}
}

// run compares the outputs of two models in one runtime.
func (e *exactness) run(name string, before, after oracle.Request, equal bool) {
	e.Helper()
	a, b := e.runtimes.Run(e, before), e.runtimes.Run(e, after)
	if a.Error != "" {
		e.ran[name+" refuses "+a.Error]++
		return
	}
	e.ran[name]++
	if !slices.Equal(a.Outputs[0], a.Outputs[len(a.Outputs)-1]) {
		e.ran[name+" with outputs that change"]++
	}
	if b.Error != "" {
		e.Errorf("%s, model %d in %s: %s", e.rule.Name, before.Seed, name, b.Error)
	} else if diff := cmp.Diff(a.Outputs, b.Outputs); diff != "" {
		e.differ[name]++
		if equal {
			e.Errorf("%s, model %d in %s: outputs differ", e.rule.Name, before.Seed, name)
		}
	}
}
