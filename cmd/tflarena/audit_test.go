package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// variants are the ways of writing a model to try. Changed models are run; copies are not.
var variants = [][]string{
	{"rewrite"},
	{"rewrite", "--pin", "all"},
	{"rewrite", "--alias", "safe"},
	{"rewrite", "--alias", "elementwise"},
	{"rewrite", "--alias", "overwrite"},
	{"rewrite", "--reorder"},
	{"rewrite", "--reorder", "--alias", "elementwise"},
	{"fit", "--least", "--time-limit", "5s"},
	{"fit", "--least", "--time-limit", "5s", "--alias", "safe"},
	{"fit", "--least", "--time-limit", "5s", "--alias", "overwrite"},
}

// A tally counts what came of the variants.
type tally struct {
	sync.Mutex
	models, variants, copies, refused, identical, different, broken int
}

// TestAudit writes every variant of every model of the corpus, of those that once showed a
// fault, and of the networks with irregular wiring, and runs what changed in both real
// runtimes: outputs are bit-identical, heads are those that were printed, and the model
// allocates in the required arena that is said of it.
func TestAudit(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: -audit takes a quarter of an hour")
	}
	files := reorderedFiles(t)
	for _, path := range corpus.Found(t) {
		files = append(files, corpus.File{Name: "found/" + filepath.Base(path), Path: path})
	}
	var n tally
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		a := &auditor{runtimes: runtimes, file: files[i], tally: &n, own: map[string]oracle.Answer{}}
		a.run(t)
	})
	t.Logf("models: %d, variants: %d, of these copies: %d, refused: %d, identical in every runtime that runs the model: %d, different: %d, promises broken: %d",
		n.models, n.variants, n.copies, n.refused, n.identical, n.different, n.broken)
}

// An auditor tries the variants of one model; own is the result of the runtimes for the unmodified
// model.
type auditor struct {
	runtimes *oracle.Runtimes
	file     corpus.File
	tally    *tally
	own      map[string]oracle.Answer
}

func (a *auditor) count(what *int) {
	a.tally.Lock()
	defer a.tally.Unlock()
	*what++
}

func (a *auditor) run(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(a.file.Path)
	if err != nil {
		t.Fatal(err)
	}
	a.count(&a.tally.models)
	for _, variant := range a.variants(t) {
		a.count(&a.tally.variants)
		path := filepath.Join(t.TempDir(), "out.tflite")
		words := append([]string{variant[0], a.file.Path, "-o", path, "--json", "--abi", "host64", "--allow-faults"}, variant[1:]...)
		got := execute(noTerminal(), nil, words...)
		out, err := os.ReadFile(path)
		switch {
		case err != nil && (got.code == exitFailure || got.code == exitCheck || got.code == 5):
			a.count(&a.tally.refused)
			continue
		case err != nil || got.code != exitOK:
			t.Errorf("%s %v: exit %d: %s", a.file.Name, variant, got.code, got.stderr)
			a.count(&a.tally.broken)
			continue
		case bytes.Equal(out, data):
			a.count(&a.tally.copies)
			continue
		}
		a.judge(t, variant, path, got.stdout)
	}
}

// variants adds budgets of the arena to those that are always tried.
func (a *auditor) variants(t *testing.T) [][]string {
	list := variants[:len(variants):len(variants)]
	c := checked(t, a.file.Path)
	for _, percent := range []int64{95, 75} {
		budget := c.Required * percent / 100
		if budget == 0 {
			continue // the arena is not known
		}
		list = append(list, []string{"fit", "--arena", fmt.Sprint(budget), "--time-limit", "5s", "--alias", "elementwise"})
	}
	return list
}

// checked returns the result of check for a model on the machine of the Python package.
func checked(t *testing.T, path string) *results.Check {
	t.Helper()
	got := execute(noTerminal(), nil, "check", path, "--json", "--abi", "host64")
	var c results.Check
	if err := readOnly([]byte(got.stdout), &c); err != nil {
		t.Fatalf("check %s: exit %d: %s %v", path, got.code, got.stderr, err)
	}
	return &c
}

// judge runs what changed.
func (a *auditor) judge(t *testing.T, variant []string, path, report string) {
	t.Helper()
	complain := func(n *int, format string, args ...any) {
		t.Errorf("%s %v: %s", a.file.Name, variant, fmt.Sprintf(format, args...))
		a.count(n)
	}
	c := checked(t, path)
	if budget := budgetOf(variant); budget > 0 && c.Required > budget {
		complain(&a.tally.broken, "smallest arena %d, above the budget of %d", c.Required, budget)
	}
	var printed struct {
		After results.State     `json:"after"`
		Steps []results.FitStep `json:"steps"`
	}
	if err := readOnly([]byte(report), &printed); err != nil {
		t.Fatal(err)
	}
	head := printed.After.Head
	if n := len(printed.Steps); n > 0 {
		head = printed.Steps[n-1].Head
	}
	if c.Head != head {
		complain(&a.tally.broken, "head %d by check, %d was printed", c.Head, head)
	}
	if own := execute(noTerminal(), nil, "verify", path); own.code != exitOK {
		complain(&a.tally.broken, "verify: exit %d", own.code)
	}
	if a.work(t) > *mostMACs {
		return // the reference kernels take minutes
	}
	same := true
	for _, runtime := range []string{"tflm", "BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"} {
		// Optimised kernels add floats up by their places, which pieces change.
		if variant[0] == "fit" && runtime == "BUILTIN_WITHOUT_DEFAULT_DELEGATES" {
			continue
		}
		if diff := a.compare(t, runtime, path); diff != "" {
			complain(&a.tally.different, "%s: %s", runtime, diff)
			same = false
		}
	}
	if same {
		a.count(&a.tally.identical)
	}
	if a.own["tflm"].Error == "" && !a.runtimes.Allocates(t, path, c.Required)[0] {
		complain(&a.tally.broken, "does not allocate in %d bytes, its required arena", c.Required)
	}
}

// work returns the multiply-accumulates of the model.
func (a *auditor) work(t *testing.T) int64 {
	t.Helper()
	m, err := tflite.Open(a.file.Path)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Subgraphs) == 0 {
		return 0
	}
	return op.RunMACs(m, 0)
}

// budgetOf returns the budget of the arena of a variant, zero for none.
func budgetOf(variant []string) (bytes int64) {
	for i, word := range variant {
		if word == "--arena" {
			fmt.Sscan(variant[i+1], &bytes)
		}
	}
	return bytes
}

// compare runs the model and a variant with one runtime or one set of its kernels, and
// returns how they differ.
func (a *auditor) compare(t *testing.T, kernels, path string) string {
	t.Helper()
	runtime := "litert"
	if kernels == "tflm" {
		runtime = kernels
	}
	request := requestOf(t, a.file)
	own, known := a.own[kernels]
	if !known {
		own = runWith(t, a.runtimes, request, runtime, kernels)
		a.own[kernels] = own
	}
	if own.Error != "" {
		return ""
	}
	request.Model = path
	after := runWith(t, a.runtimes, request, runtime, kernels)
	switch {
	case after.Error != "":
		return after.Error
	case !cmp.Equal(own.Outputs, after.Outputs) && (runtime == "litert" || steady(t, a.runtimes, a.file, own)) && a.repeats(t, kernels, own):
		if runtime == "litert" && a.mended(t, kernels, after) {
			return ""
		}
		return "other outputs"
	}
	return ""
}

// mended reports whether LiteRT computes the variant as it computes the model with memory of its own for each tensor.
// Otherwise it may overwrite a tensor of the model that is still read, in the order of the file.
func (a *auditor) mended(t *testing.T, kernels string, after oracle.Answer) bool {
	t.Helper()
	request := requestOf(t, a.file)
	request.Linear = true
	apart := runWith(t, a.runtimes, request, "litert", kernels)
	return apart.Error == "" && cmp.Equal(apart.Outputs, after.Outputs)
}

// repeats reports whether the model has the same outputs whenever it runs: a kernel that reads
// what nothing wrote has others.
func (a *auditor) repeats(t *testing.T, kernels string, own oracle.Answer) bool {
	t.Helper()
	runtime := "litert"
	if kernels == "tflm" {
		runtime = kernels
	}
	const runs = 8
	for range runs {
		if again := runWith(t, a.runtimes, requestOf(t, a.file), runtime, kernels); !cmp.Equal(own.Outputs, again.Outputs) {
			return false
		}
	}
	return true
}
