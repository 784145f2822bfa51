package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestJSONLines: a line for each model is a document with the same element as that of all models, also for one that
// cannot be read, and nothing else is printed.
func TestJSONLines(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.tflite")
	if err := os.WriteFile(bad, []byte("no model"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := []string{"builtin:swiftnet-int8", bad, "builtin:blazeface-int8"}
	type document struct {
		Command string
		OK      bool
		Models  []map[string]any
	}
	decode := func(text string) (d document) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	whole := execute(noTerminal(), nil, append([]string{"analyze", "--json"}, files...)...)
	lines := execute(noTerminal(), nil, append([]string{"analyze", "--json-lines"}, files...)...)
	all, list := decode(whole.stdout), strings.Split(strings.TrimSuffix(lines.stdout, "\n"), "\n")
	if len(list) != len(files) || lines.code != whole.code || whole.code != exitInvalid {
		t.Fatalf("%d lines, exit codes %d and %d", len(list), lines.code, whole.code)
	}
	for i, line := range list {
		d := decode(line)
		if d.Command != "analyze" || d.OK != (files[i] != bad) || len(d.Models) != 1 || !reflect.DeepEqual(d.Models[0], all.Models[i]) {
			t.Errorf("%s is not the element of the document: %s", files[i], line)
		}
	}
	for _, other := range []string{"--json", "--csv", "--map"} {
		if got := execute(noTerminal(), nil, "analyze", "--json-lines", other, files[0]); got.code != exitUsage || got.stdout != "" {
			t.Errorf("%s: exit %d, %q", other, got.code, got.stdout)
		}
	}
}
