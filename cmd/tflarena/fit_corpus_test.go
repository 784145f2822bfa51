package main

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// mostMACs leaves models out of [TestFittedCorpus] that reference kernels take minutes for.
var mostMACs = flag.Int64("macs", 2_500_000_000, "fit and run models of up to so many multiply-accumulates")

// A swept is what the real runtimes did with a model in pieces.
type swept struct {
	Model string `json:"model"`
	Alias string `json:"alias"`
	// Micro and LiteRT say why a runtime does not run the model as it is.
	Micro  string `json:"tflm_reason,omitempty"`
	LiteRT string `json:"litert_reason,omitempty"`
}

// TestFittedCorpus makes the head of every model of the corpus as small as it can be, and
// runs those that were cut into pieces in both real runtimes: outputs are bit-identical,
// and heads those that were printed.
func TestFittedCorpus(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: every model in pieces takes a quarter of an hour (-audit)")
	}
	files := corpus.Accepted(t)
	found := make([][]swept, len(files))
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		s := &sweeper{runtimes: runtimes, file: files[i], own: map[string]oracle.Answer{}}
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			if o, cut := s.sweep(t, alias); cut {
				found[i] = append(found[i], o)
			}
		}
	})
	var all []swept
	for _, list := range found {
		all = append(all, list...)
	}
	if flag.Lookup("macs").DefValue != flag.Lookup("macs").Value.String() {
		t.Logf("%d runs; the golden file is that of the default", len(all))
		return
	}
	golden.JSON(t, filepath.Join("testdata", "fitted_corpus.json"), all)
}

// A sweeper tries fits of one model; own is the result of the runtimes for the unmodified model.
type sweeper struct {
	runtimes *oracle.Runtimes
	file     corpus.File
	own      map[string]oracle.Answer
}

// sweep returns what runtimes did, and whether the model was cut.
func (s *sweeper) sweep(t *testing.T, alias rules.Alias) (o swept, cut bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, "fit", "--allow-faults", s.file.Path, "-o", path, "--json", "--pointer", "8", "--least", "--alias", string(alias))
	var r results.Fit
	if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
		t.Errorf("%s: exit %d: %s %v", s.file.Name, got.code, got.stderr, err)
		return o, false
	}
	best := r.Steps[len(r.Steps)-1]
	if len(best.Stages) == 0 || r.OwnMACs > *mostMACs {
		return o, false
	}
	o = swept{Model: s.file.Name, Alias: string(alias)}
	o.Micro = s.compare(t, "tflm", path, best.Head)
	o.LiteRT = s.compare(t, "litert", path, 0)
	return o, true
}

// compare runs the model and the one in pieces, and returns why the model does not run.
func (s *sweeper) compare(t *testing.T, runtime, path string, head int64) (reason string) {
	t.Helper()
	request := requestOf(t, s.file)
	own, known := s.own[runtime]
	if !known {
		own = runWith(t, s.runtimes, request, runtime, "BUILTIN_REF")
		s.own[runtime] = own
	}
	if own.Error != "" {
		return own.Error
	}
	request.Model = path
	after := runWith(t, s.runtimes, request, runtime, "BUILTIN_REF")
	if after.Error != "" || !cmp.Equal(own.Outputs, after.Outputs) {
		t.Errorf("%s: other outputs in %s %s", s.file.Name, runtime, after.Error)
	}
	if head > 0 && after.Head != head {
		t.Errorf("%s: printed head %d, the runtime reports %d", s.file.Name, head, after.Head)
	}
	return ""
}
