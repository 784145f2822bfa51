package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

var (
	behaviourOut = flag.String("behaviour", "", "write what the commands answer for the whole corpus to `FILE`")
	behaviourOld = flag.String("against", "", "compare the answers with those that another version wrote to `FILE`")
)

// renamedFields maps the names of JSON fields in older versions to those of today. An empty name is that
// of a field that depends on the clock, on the version, or on the words of a report.
var renamedFields = map[string]string{
	"smallest_arena_bytes": "required_bytes", "larger_smallest_arena_bytes": "larger_required_bytes", "smallest_arena_decided_by": "required_decided_by",
	"arena_bytes": "used_bytes", "arena_difference_bytes": "used_difference_bytes", "arena_budget_bytes": "budget_bytes", "arena_missed_by_bytes": "required_missed_by_bytes",
	"takeovers": "in_place", "takeover_count": "in_place_count",
	"pieces": "tiles", "row_pieces": "row_tiles", "column_pieces": "column_tiles", "channel_pieces": "channel_tiles", "tile_pieces": "uneven_tiles",
	"elapsed_ns": "", "version": "", "schema_version": "", "command": "",
	"notes": "", "warnings": "", "message": "", "next": "", "source": "", "reason": "", "title": "",
}

// A behaviour is the answer of one command.
type behaviour struct {
	Command string `json:"line"`
	Code    int    `json:"code"`
	Answer  any    `json:"answer"`
	// Model is a hash of the file that the command writes without the memory plan and what else tflarena
	// adds to the metadata, and Plans are the offsets.
	Model string         `json:"model,omitempty"`
	Plans []rewrite.Plan `json:"plans,omitempty"`
}

// TestBehaviour compares the answers of commands with those of another version of the program: figures
// are equal, and so are written models apart from their markers. The script .ci/behaviour runs it. No
// search ends by the clock, so that the answers of a version are always the same.
func TestBehaviour(t *testing.T) {
	if *behaviourOut == "" && *behaviourOld == "" {
		line := []string{"rewrite", "--pin", "all", corpus.Model(t, "person_detect.tflite").Path}
		first, second := answerOf(t, line), answerOf(t, line)
		if first.Code != exitOK || first.Model == "" || len(first.Plans) != 1 || !reflect.DeepEqual(first, second) {
			t.Errorf("%+v, and the second time %+v", first, second)
		}
		return
	}
	searchNodes = 2_000
	defer func() { searchNodes = 0 }()
	var old *bufio.Scanner
	if *behaviourOld != "" {
		f, err := os.Open(*behaviourOld)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		old = bufio.NewScanner(f)
		old.Buffer(nil, 1<<30)
	}
	out := os.NewFile(0, os.DevNull)
	if *behaviourOut != "" {
		var err error
		if out, err = os.Create(*behaviourOut); err != nil {
			t.Fatal(err)
		}
		defer out.Close()
	}
	equal, different, models := 0, 0, 0
	for _, line := range behaviourLines(t) {
		now := answerOf(t, line)
		if now.Model != "" {
			models++
		}
		text, err := json.Marshal(now)
		if err != nil {
			t.Fatal(err)
		}
		if *behaviourOut != "" {
			if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
				t.Fatal(err)
			}
		}
		if old == nil {
			continue
		}
		if !old.Scan() {
			t.Fatalf("%s: the other version has no answer: %v", now.Command, old.Err())
		}
		was := inTodaysNames(decoded(t, old.Bytes()))
		if is := inTodaysNames(decoded(t, text)); reflect.DeepEqual(was, is) {
			equal++
		} else {
			different++
			t.Errorf("%s: %s", now.Command, strings.Join(differences("", was, is), "\n\t"))
		}
	}
	t.Logf("answers: %d equal, %d different; models written: %d", equal, different, models)
}

// behaviourLines are the commands, without their --json.
func behaviourLines(t *testing.T) (lines [][]string) {
	add := func(path, text string) { lines = append(lines, append(strings.Fields(text), path)) }
	var paths []string
	for _, f := range corpus.Models(t) {
		paths = append(paths, f.Path)
	}
	second, err := filepath.Glob(filepath.Join(corpus.Dir(t), "found", "second", "*.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(append(paths, corpus.Found(t)...), second...) {
		for _, text := range []string{
			"analyze", "analyze -r litert", "analyze -r paper", "analyze --kernels cmsis-nn-mve --abi arm", "analyze --kernels esp-nn-s3@1.2.1",
			"check --max-arena 64K", "check --max-arena 64K --kernels esp-nn-s3", "plan", "plan -a shared", "plan --alias overwrite",
			"rewrite", "rewrite --reorder --alias overwrite --pin all --allow-faults", "rewrite --alias diagonal --kernels cmsis-nn-scalar --allow-faults", "verify",
			"stream --bandwidth 1M --macs-per-second 1e9 --budget 256K",
		} {
			add(path, text)
		}
	}
	for _, f := range fits {
		if !f.slow || *golden.Audit {
			add(corpus.Model(t, filepath.Base(f.model)).Path, "fit "+strings.Join(f.flags, " "))
		}
	}
	tiles, err := filepath.Glob(filepath.Join(corpus.Dir(t), "tiles", "taa-cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range tiles {
		add(path, "plan")
	}
	profiles, err := filepath.Glob(filepath.Join(corpus.Dir(t), "found", "second", "*.pickle"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range profiles {
		add(path, "replay")
	}
	return lines
}

// answerOf runs a command for its answer in JSON, and again for the model that it writes.
func answerOf(t *testing.T, line []string) behaviour {
	t.Helper()
	name := fmt.Sprint(append(line[:len(line)-1:len(line)-1], filepath.Base(line[len(line)-1])))
	dir := t.TempDir()
	out := filepath.Join(dir, "out.tflite")
	args := append([]string{}, line...)
	if writes := line[0] == "rewrite" || line[0] == "fit"; writes {
		args = append(args[:1:1], append([]string{"-o", out}, args[1:]...)...)
	}
	got := execute(noTerminal(), nil, append(args[:1:1], append([]string{"-q", "--json"}, args[1:]...)...)...)
	b := behaviour{Command: name, Code: got.code}
	if json.Unmarshal([]byte(strings.ReplaceAll(got.stdout, dir, "")), &b.Answer) != nil {
		b.Answer = nil // of a wrong command line
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return b
	}
	m, err := tflite.Parse(data, "out")
	if err != nil {
		t.Fatal(err)
	}
	if b.Plans, err = rewrite.ReadPlans(m); err != nil {
		t.Fatal(err)
	}
	plain, err := rewrite.Remove(m, rewrite.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	b.Model = fmt.Sprintf("%x", sha256.Sum256(plain.Data))
	return b
}

func decoded(t *testing.T, text []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// inTodaysNames returns a value of JSON with the names of today, without the fields that say nothing.
func inTodaysNames(value any) any {
	switch v := value.(type) {
	case map[string]any:
		m := map[string]any{}
		for key, x := range v {
			if name, old := renamedFields[key]; !old {
				m[key] = inTodaysNames(x)
			} else if name != "" {
				m[name] = inTodaysNames(x)
			}
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = inTodaysNames(x)
		}
		return list
	case string: // a figure may be named by its field
		if name := renamedFields[v]; name != "" {
			return name
		}
	}
	return value
}

// differences returns the paths at which two values of JSON differ, with the values there.
func differences(path string, a, b any) (list []string) {
	x, isMap := a.(map[string]any)
	y, both := b.(map[string]any)
	if !isMap || !both {
		if l, ok := a.([]any); ok {
			if k, ok := b.([]any); ok && len(k) == len(l) {
				for i := range l {
					list = append(list, differences(fmt.Sprintf("%s[%d]", path, i), l[i], k[i])...)
				}
				return list
			}
		}
		if !reflect.DeepEqual(a, b) {
			list = append(list, fmt.Sprintf("%s: %v, was %v", path, b, a))
		}
		return list
	}
	for key := range x {
		if _, ok := y[key]; !ok {
			list = append(list, path+"."+key+": gone")
			continue
		}
		list = append(list, differences(path+"."+key, x[key], y[key])...)
	}
	for key := range y {
		if _, ok := x[key]; !ok {
			list = append(list, path+"."+key+": new")
		}
	}
	return list
}
