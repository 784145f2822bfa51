package transform

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// networksOf returns the models of the corpus and the wake-word models: the small ones, or all with -audit.
func networksOf(t *testing.T) (list []*tflite.Model) {
	t.Helper()
	var paths []string
	for _, f := range corpus.Accepted(t) {
		paths = append(paths, f.Path)
	}
	more, err := filepath.Glob(filepath.Join(corpus.Dir(t), "wakewords", "*.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, more...) {
		const bytes, macs = 350 << 10, 10_000_000
		if m := sample.OpenFile(t, path); m != nil && (len(m.Data) <= bytes && op.RunMACs(m, 0) <= macs || *golden.Audit) {
			list = append(list, m)
		}
	}
	return list
}

// TestCorpusExact: networks have the same outputs in TensorFlow Lite Micro before and after each rule, applied wherever it
// matches, and before and after all rules that pay on a kernel library.
func TestCorpusExact(t *testing.T) {
	networks := networksOf(t)
	ran := make([]map[string]bool, len(networks))
	oracle.Each(t, len(networks), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		m := networks[i]
		after := everyForm(t, m)
		if len(after) == 0 {
			return
		}
		request := oracle.Request{
			Runtime: "tflm", Model: sample.Written(t, withoutPlan(t, m).Data), Arena: 1 << 28, Seed: 1, Invokes: 5,
			Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
		}
		before := runtimes.Run(t, request)
		if before.Error != "" {
			return
		}
		ran[i] = map[string]bool{}
		for rule, changed := range after {
			request.Model = sample.Written(t, changed.Data)
			sample.SameRun(t, m.Name+" after "+rule, before, runtimes.Run(t, request))
			ran[i][rule] = true
		}
	})
	count := map[string]int{}
	for _, rules := range ran {
		for rule := range rules {
			count[rule]++
		}
	}
	t.Logf("%d networks; ran: %v", len(networks), count)
}

// everyForm returns what rules make of a network: each where it matches, all of them, and those that pay on a kernel
// library.
func everyForm(t *testing.T, m *tflite.Model) map[string]*tflite.Model {
	t.Helper()
	list := map[string]*tflite.Model{}
	for _, r := range of(Memory, Work, Tiling) {
		if after := forced(t, m, r); after != nil {
			list[r.Name] = after
		}
	}
	if len(list) < 2 {
		return list
	}
	list["all rules"] = allForced(t, m)
	for _, library := range []string{"cmsis-nn-mve", "esp-nn-s3"} {
		if r := substituted(t, library, true, m); len(r.Applied) > 0 {
			list[library] = r.Model
		}
	}
	return list
}

// allForced applies all rules of [Memory] and [Work] together, wherever they match, several times, with another rule first each time.
func allForced(t *testing.T, m *tflite.Model) *tflite.Model {
	t.Helper()
	d, rules := reference(t), of(Memory, Work, Tiling)
	for _, r := range rules {
		list := findMore(find(m, d, []*Rule{r}, anywhere), m, d, rules, anywhere)
		changed, _, err := apply(m, list, nil, rewrite.Options{})
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		m = changed
	}
	return m
}

// withoutPlan returns a model without its embedded memory plan.
func withoutPlan(t testing.TB, m *tflite.Model) *tflite.Model {
	t.Helper()
	r, err := rewrite.Remove(m, rewrite.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	return modelfile.Parse(t, r.Data)
}

// TestCorpusLaws: no network gets a larger arena or more multiply-accumulates by substitution, and none a new
// fault, a changed input or a changed output.
func TestCorpusLaws(t *testing.T) {
	for _, m := range networksOf(t) {
		for _, library := range []string{"reference", "cmsis-nn-mve", "esp-nn-s3"} {
			d := device(t, library)
			r, err := Substitute(context.Background(), m, Options{Device: d})
			if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
				t.Logf("%s: %v", m.Name, err)
				continue
			}
			if err != nil {
				t.Errorf("%s on %s: %v", m.Name, library, err)
				continue
			}
			checkSubstituted(t, d, false, m, r)
		}
	}
}

// checkSubstituted checks the laws of a substitution, perhaps for a build without assertions.
func checkSubstituted(t *testing.T, d rules.Device, noAssertions bool, m *tflite.Model, r *Result) {
	t.Helper()
	if len(r.Applied) == 0 {
		if r.Model != m {
			t.Errorf("%s: another model, but no rule was applied", m.Name)
		}
		return
	}
	before, after := required(t, m, d), required(t, r.Model, d)
	if after > before {
		t.Errorf("%s on %s: %d bytes, before %d", m.Name, d.Kernels, after, before)
	}
	for i := range m.Subgraphs {
		if after, before := op.RunMACs(r.Model, i), op.RunMACs(m, i); after > before {
			t.Errorf("%s on %s: %d multiply-accumulates, before %d", m.Name, d.Kernels, after, before)
		}
	}
	checkInterface(t, m, r.Model)
	for _, f := range d.Rules().Faults(r.Model) {
		if noAssertions && f.Assertions() {
			continue
		}
		if !slices.ContainsFunc(d.Rules().Faults(m), func(old rules.Fault) bool { return old.Name == f.Name && old.Reason == f.Reason }) {
			t.Errorf("%s on %s: %v", m.Name, d.Kernels, f)
		}
	}
}

// checkInterface checks that the inputs and outputs of the subgraphs are the same.
func checkInterface(t *testing.T, before, after *tflite.Model) {
	t.Helper()
	for i := range before.Subgraphs {
		a, b := &before.Subgraphs[i], &after.Subgraphs[i]
		if !slices.Equal(a.Inputs, b.Inputs) || !slices.Equal(a.Outputs, b.Outputs) {
			t.Errorf("%s: other inputs or outputs", before.Name)
			continue
		}
		for _, k := range append(slices.Clone(a.Inputs), a.Outputs...) {
			if !tflite.SameTensor(&a.Tensors[k], &b.Tensors[k]) {
				t.Errorf("%s: tensor %d changed", before.Name, k)
			}
		}
	}
}

// required returns [least].
func required(t testing.TB, m *tflite.Model, d rules.Device) int64 {
	t.Helper()
	n, err := least(m, d)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
