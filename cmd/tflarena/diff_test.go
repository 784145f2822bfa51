package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// diffCorpus returns the models of the corpus, in a short test those that are not large.
func diffCorpus(t *testing.T) []corpus.File {
	t.Helper()
	const large = 1 << 20
	return slices.DeleteFunc(corpus.Models(t), func(f corpus.File) bool {
		info, err := os.Stat(f.Path)
		return testing.Short() && err == nil && info.Size() > large
	})
}

// diffJSON runs the command and returns what it found.
func diffJSON(t *testing.T, code int, stdin []byte, args ...string) *results.Diff {
	t.Helper()
	got := execute(noTerminal(), stdin, append([]string{"diff", "--json", "--exit-code"}, args...)...)
	if got.code != code {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got.code, code, got.stderr)
	}
	if strings.Contains(got.stdout, "null") {
		t.Errorf("%v: null in the JSON", args)
	}
	var d results.Diff
	if err := readOnly([]byte(got.stdout), &d); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return &d
}

// No model of the corpus differs from itself, its head is the one that verify finds, and
// a file that is no model is refused by name, on either side.
func TestDiffCorpusWithItself(t *testing.T) {
	good := write(t, filepath.Join(t.TempDir(), "good.tflite"), small()["chain"])
	for _, f := range diffCorpus(t) {
		if f.Exit != exitOK {
			for _, args := range [][]string{{"diff", f.Path, good}, {"diff", good, f.Path, "--exit-code"}} {
				if got := execute(noTerminal(), nil, args...); got.code != f.Exit || got.stdout != "" || !strings.Contains(got.stderr, f.Path+": ") {
					t.Errorf("%v: %+v", args, got)
				}
			}
			continue
		}
		for _, flags := range [][]string{{"--runtime", "tflm"}, {"--runtime", "litert"}} {
			runtime := flags[1]
			d := diffJSON(t, exitOK, nil, append([]string{f.Path, f.Path}, flags...)...)
			if !d.Identical || d.Unlike || len(d.Differences) > 0 || d.HeadDifferenceBytes != 0 || d.FileDifferenceBytes != 0 {
				t.Errorf("%s: %s: %+v", f.Name, runtime, d)
			}
			if head := verifiedHead(t, f.Path); runtime == "tflm" && d.B.Head != head {
				t.Errorf("%s: %d bytes, verify says %d", f.Name, d.B.Head, head)
			}
			if l := d.Operators; l.Matched != d.A.Operators || len(l.Changed)+len(l.Added)+len(l.Removed) > 0 {
				t.Errorf("%s: operators %+v", f.Name, l)
			}
			if l := d.Tensors; l.Matched != d.A.Tensors || len(l.Changed)+len(l.Added)+len(l.Removed) > 0 {
				t.Errorf("%s: tensors %+v", f.Name, l)
			}
		}
	}
}

// verifiedHead returns the head that verify finds.
func verifiedHead(t *testing.T, path string) int64 {
	t.Helper()
	var v results.Verification
	if err := readOnly([]byte(execute(noTerminal(), nil, "verify", "--json", path).stdout), &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if v.Head == nil {
		return -1
	}
	return *v.Head
}

// The changes from one model of the corpus to the next are the reversed ones on the way back.
func TestDiffCorpusMirrored(t *testing.T) {
	last := ""
	for _, f := range diffCorpus(t) {
		if f.Exit != exitOK {
			continue
		}
		if last != "" {
			d, back := diffJSON(t, exitCheck, nil, last, f.Path), diffJSON(t, exitCheck, nil, f.Path, last)
			checkBack(t, d, back)
			if d.A.Input != last || d.HeadDifferenceBytes != d.B.Head-d.A.Head {
				t.Errorf("%s: %+v", f.Name, d)
			}
		}
		last = f.Path
	}
}

func checkBack(t *testing.T, d, back *results.Diff) {
	t.Helper()
	same := slices.Equal(d.Differences, back.Differences) && slices.Equal(d.Other, back.Other) &&
		slices.Equal(d.Operators.Added, back.Operators.Removed) && slices.Equal(d.Operators.Removed, back.Operators.Added) &&
		cmp.Equal(d.Tensors.Added, back.Tensors.Removed) && cmp.Equal(d.Tensors.Removed, back.Tensors.Added) &&
		slices.Equal(d.Metadata.Added, back.Metadata.Removed) && slices.Equal(d.Metadata.Changed, back.Metadata.Changed) &&
		d.UsedDifferenceBytes == -back.UsedDifferenceBytes && d.HeadDifferenceBytes == -back.HeadDifferenceBytes && d.LowerBoundDifferenceBytes == -back.LowerBoundDifferenceBytes &&
		d.FileDifferenceBytes == -back.FileDifferenceBytes && d.Plan.TensorsChanged == back.Plan.TensorsChanged &&
		d.Unlike == back.Unlike && cmp.Equal(d.A.Peak, back.B.Peak)
	if !same {
		t.Errorf("%s, %s: the way back is another", d.A.Input, d.B.Input)
	}
	changed := map[string][]string{}
	for _, c := range back.Operators.Changed {
		changed[c.B.ID()+" "+c.A.ID()] = c.Changed
	}
	for _, c := range d.Operators.Changed {
		if !slices.Equal(changed[c.A.ID()+" "+c.B.ID()], c.Changed) {
			t.Errorf("%s, %s: operator %s: %v", d.A.Input, d.B.Input, c.A.ID(), c.Changed)
		}
	}
	if len(d.Operators.Changed) != len(back.Operators.Changed) || len(d.Tensors.Changed) != len(back.Tensors.Changed) {
		t.Errorf("%s, %s: another number on the way back", d.A.Input, d.B.Input)
	}
}

// A plan written into any model of the corpus, and another one instead, is all that is
// seen of it, however the bytes of the file had to move.
func TestDiffCorpusPlan(t *testing.T) {
	dir, done := t.TempDir(), 0
	for _, f := range diffCorpus(t) {
		if f.Exit != exitOK {
			continue
		}
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		tensors := 0
		for _, s := range m.Subgraphs {
			tensors += len(s.Tensors)
		}
		offsets := make([]int32, tensors)
		for i := range offsets {
			offsets[i] = rewrite.Online
		}
		r, err := rewrite.Embed(m, offsets, rewrite.Options{})
		if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatal(f.Name, err)
		}
		path := write(t, filepath.Join(dir, "planned.tflite"), r.Data)
		d := diffJSON(t, exitCheck, nil, f.Path, path)
		if !slices.Equal(d.Differences, []results.Difference{"plan"}) || d.Operators.Matched != d.A.Operators || d.Tensors.Matched != d.A.Tensors {
			t.Errorf("%s: %v %v", f.Name, d.Differences, d.Other)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		done++
	}
	if done < 80 && !testing.Short() {
		t.Errorf("only %d models", done)
	}
}

// The first interrupt ends the wait for standard input, on either side.
func TestDiffInterrupted(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	for _, args := range [][]string{{"-", model}, {model, "-"}} {
		ctx, cancel := context.WithCancel(context.Background())
		var stdout, stderr bytes.Buffer
		code := run(ctx, append([]string{name, "diff"}, args...), silence{cancel}, &stdout, &stderr, noTerminal())
		if code != exitInterrupted || stdout.Len() > 0 || !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("%v: exit %d: %s%s", args, code, &stdout, &stderr)
		}
	}
}

// FuzzDiff passes arbitrary data to the command on both sides: it reports differences or rejects it,
// and the reverse is consistent.
func FuzzDiff(f *testing.F) {
	models := small()
	for _, data := range models {
		f.Add(data, models["branch"])
		f.Add(models["chain"], data)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		path := write(t, filepath.Join(t.TempDir(), "b"), b)
		got := execute(noTerminal(), a, "diff", "-", path, "--json", "--exit-code")
		back := execute(noTerminal(), a, "diff", path, "-", "--json", "--exit-code")
		if got.code != exitOK && got.code != exitCheck && got.code != exitInvalid || got.code != back.code || got.code != exitInvalid && (got.code == exitOK) != (string(a) == string(b)) {
			t.Fatalf("exit codes %d and %d: %s", got.code, back.code, got.stderr)
		}
		if got.stdout == "" || got.code == exitInvalid { // the JSON then has the errors of both
			return
		}
		var d, e results.Diff
		if err := errors.Join(readOnly([]byte(got.stdout), &d), readOnly([]byte(back.stdout), &e)); err != nil {
			t.Fatal(err)
		}
		checkBack(t, &d, &e)
		if text := execute(noTerminal(), a, "diff", "-", path); text.code != exitOK || strings.Contains(text.stdout, "\x1b") {
			t.Fatalf("%+v", text)
		}
	})
}

// Each run of operators that fit has tiled is a tiled block of the difference, with the same number of
// original operators, and no operator or tensor changes apart from these unless fit has also replaced or removed some.
func TestDiffOfTiledModels(t *testing.T) {
	blocks := 0
	for name, data := range small() {
		dir := t.TempDir()
		whole, tiled, report := write(t, filepath.Join(dir, "whole.tflite"), data), filepath.Join(dir, "tiled.tflite"), filepath.Join(dir, "fit.json")
		if got := execute(noTerminal(), nil, "fit", whole, "--least", "-o", tiled, "-o", report); got.code != exitOK {
			continue
		}
		var fitted struct{ Models []results.Fit }
		data, err := os.ReadFile(report)
		if err == nil {
			err = json.Unmarshal(data, &fitted)
		}
		if err != nil {
			t.Fatal(err)
		}
		steps := fitted.Models[0].Steps
		if last := steps[len(steps)-1]; len(last.Stages) == 0 {
			continue
		}
		d := diffJSON(t, exitCheck, nil, whole, tiled)
		var stages, found []int
		for _, s := range steps[len(steps)-1].Stages {
			stages = append(stages, s.LastOp-s.FirstOp+1)
		}
		for _, b := range d.B.Tiled {
			found = append(found, len(b.Kinds))
			if b.Tiles < 2 || b.TileOperators <= b.Tiles || len(b.Dimensions) == 0 {
				t.Errorf("%s: %+v", name, b)
			}
		}
		slices.Sort(stages)
		slices.Sort(found)
		text := execute(noTerminal(), nil, "diff", whole, tiled).stdout
		alone := !slices.ContainsFunc(steps, func(s results.FitStep) bool { return s.OperatorsRemoved > 0 || len(s.Rules) > 0 })
		if !slices.Equal(stages, found) || alone && regexp.MustCompile(`(?m)^(changed|removed|added|resized|untiled):`).MatchString(text) || strings.Count(text, "\ntiled:") != len(found) {
			t.Errorf("%s: fit tiled runs of %v operators, diff has %v:\n%s", name, stages, found, text)
		}
		if alone {
			blocks += len(found)
		}
	}
	if blocks == 0 {
		t.Error("no model is tiled")
	}
}
