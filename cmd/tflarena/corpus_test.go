package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Every file of the corpus gets the exit code that it is owed, under the rules of
// each runtime, and figures that are possible. The next command that analyze proposes works.
func TestCorpus(t *testing.T) {
	files := corpus.Models(t)
	if len(files) < 100 {
		t.Fatalf("only %d files", len(files))
	}
	names := rules.Names()
	if testing.Short() {
		names = names[:1]
	}
	t.Chdir(t.TempDir())
	proposed := map[string]bool{}
	for _, f := range files {
		for _, runtime := range names {
			checkAnalysis(t, f.Path, runtime, f.Exit, proposed)
		}
	}
	for _, kind := range []string{"check", "rewrite", "fit"} {
		if !proposed[kind] {
			t.Errorf("no next command is %s", kind)
		}
	}
}

// runProposed runs the next command that analyze proposes for a file: all of them with -audit, otherwise one of each kind,
// and searches for small files only.
func runProposed(t *testing.T, file, next string, proposed map[string]bool) {
	t.Helper()
	const small = 64 << 10
	words := strings.Fields(next)
	info, err := os.Stat(file)
	if err != nil || len(words) < 3 {
		t.Fatalf("%s: %q: %v", file, next, err)
	}
	kind := words[1]
	searches := kind == "fit" || kind == "stream"
	if !*golden.Audit && (proposed[kind] || searches && info.Size() > small) {
		return
	}
	proposed[kind] = true
	if got := execute(noTerminal(), nil, words[1:]...); got.code != exitOK {
		t.Errorf("%s: %s: exit code %d: %s%s", file, next, got.code, got.stderr, got.stdout)
	}
}

func checkAnalysis(t *testing.T, file, runtime string, exit int, proposed map[string]bool) {
	t.Helper()
	got := execute(noTerminal(), nil, "analyze", file, "--json", "--runtime", runtime)
	if got.code != exit {
		t.Errorf("%s: %s: exit code %d, want %d: %s", file, runtime, got.code, exit, got.stderr)
		return
	}
	if exit != exitOK {
		return
	}
	var a results.Analysis
	if err := readOnly([]byte(got.stdout), &a); err != nil {
		t.Errorf("%s: %s: %v", file, runtime, err)
		return
	}
	possible := a.BestBytes <= a.Head && a.BestBytes <= a.NaiveBytes && a.Peak.BreadthBytes <= a.LowerBoundBytes
	if a.EmbeddedPlan == nil { // in one, tensors may share memory on purpose
		possible = possible && a.LowerBoundBytes <= a.BestBytes
	}
	if !possible || a.BestBytes == a.LowerBoundBytes && !a.ProvenOptimal && a.BestStrategy != "embedded" {
		t.Errorf("%s: %s: peak %d, bound %d, best %d, head %d, naive %d, proven %v", file, runtime,
			a.Peak.BreadthBytes, a.LowerBoundBytes, a.BestBytes, a.Head, a.NaiveBytes, a.ProvenOptimal)
	}
	checkArenas(t, file, &a)
	if a.Next != "" {
		runProposed(t, file, a.Next, proposed)
	}
	var alive int64
	for _, x := range a.Peak.Alive {
		alive += x.SizeBytes
	}
	if alive != a.Peak.BreadthBytes {
		t.Errorf("%s: %s: %d bytes alive at the peak of %d", file, runtime, alive, a.Peak.BreadthBytes)
	}
}

// checkArenas fails if a promised better arena is not better.
func checkArenas(t *testing.T, file string, a *results.Analysis) {
	t.Helper()
	if a.ABI == "" {
		return
	}
	if !a.Known() {
		if a.Used != 0 || a.Tail != 0 || a.Required != 0 {
			t.Errorf("%s: an arena that is not known has figures: %+v", file, a.Figures)
		}
		return
	}
	if a.Used != a.Head+a.Tail || a.Required < a.Used || a.Required%16 != 0 {
		t.Errorf("%s: head %d, tail %d, arena %d, smallest arena %d", file, a.Head, a.Tail, a.Used, a.Required)
	}
	if a.WithPlan.Head != a.BestBytes || a.WithPlan.Used > a.Used {
		t.Errorf("%s: arena %d, with a plan of %d bytes %+v", file, a.Used, a.BestBytes, a.WithPlan)
	}
	if a.WithOrder != nil && a.WithOrder.Used >= a.WithPlan.Used {
		t.Errorf("%s: arena %d with a plan, %d with an order", file, a.WithPlan.Used, a.WithOrder.Used)
	}
}

// Every problem is planned, and its answer, planned again, is itself.
func TestCorpusProblems(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: searches that take a second each")
	}
	problems, _ := filepath.Glob(filepath.Join(corpus.Dir(t), "dsa-benchmarks", "minimalloc", "*.csv"))
	records, _ := filepath.Glob(filepath.Join(corpus.Dir(t), "models", "paper_records", "*.csv"))
	problems = append(problems, records...)
	if len(problems) < 15 {
		t.Fatalf("only %d problems", len(problems))
	}
	for _, path := range problems {
		first := execute(noTerminal(), nil, "plan", path, "--csv")
		second := execute(noTerminal(), []byte(first.stdout), "plan", "-", "--csv")
		if first.code != exitOK || second != first {
			t.Errorf("%s: exit %d and %d, answers equal: %v", path, first.code, second.code, first.stdout == second.stdout)
		}
	}
}
