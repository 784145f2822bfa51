package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Every file of the corpus gets the exit code that it is owed, under the rules of
// each runtime, and figures that are possible.
func TestCorpus(t *testing.T) {
	files := corpus.Models(t)
	if len(files) < 100 {
		t.Fatalf("only %d files", len(files))
	}
	names := rules.Names()
	if testing.Short() {
		names = names[:1]
	}
	for _, f := range files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, runtime := range names {
			checkAnalysis(t, f.Name, data, runtime, f.Exit)
		}
	}
}

func checkAnalysis(t *testing.T, file string, data []byte, runtime string, exit int) {
	t.Helper()
	got := execute(noTerminal(), data, "analyze", "-", "--json", "--runtime", runtime)
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
	online := a.HeadBytes
	if a.EmbeddedPlan != nil { // whose tensors may share memory on purpose
		online = a.EmbeddedPlan.OnlineBytes
	}
	possible := a.LowerBoundBytes <= a.BestBytes && a.BestBytes <= online && a.Peak.BreadthBytes <= a.LowerBoundBytes
	if !possible || a.BestBytes == a.LowerBoundBytes && !a.ProvenOptimal {
		t.Errorf("%s: %s: peak %d, bound %d, best %d, arena %d, proven %v", file, runtime,
			a.Peak.BreadthBytes, a.LowerBoundBytes, a.BestBytes, a.HeadBytes, a.ProvenOptimal)
	}
	var alive int64
	for _, x := range a.Peak.Alive {
		alive += x.SizeBytes
	}
	if alive != a.Peak.BreadthBytes {
		t.Errorf("%s: %s: %d bytes alive at the peak of %d", file, runtime, alive, a.Peak.BreadthBytes)
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
