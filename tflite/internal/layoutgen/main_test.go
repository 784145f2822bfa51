package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The checked-in table matches the generator's output for the current schema.
func TestUpToDate(t *testing.T) {
	text, err := os.ReadFile("../../../schema/tflite.fbs")
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(string(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../layout_generated.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("layout_generated.go is stale, run go generate ./tflite (-want +got):\n%s", diff)
	}
}

// A schema feature without a verifier rule is an error, not an unchecked field.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"gap in ids":        {"table A { x:int (id: 1); }", "id 1, want 0"},
		"union without tag": {"union U { A } table A { x:U (id: 0); }", "id 0, want 1"},
		"strings":           {"table A { x:[string] (id: 0); }", "no vector of string"},
		"unknown type":      {"table A { x:B (id: 0); }", "unknown type B"},
		"union of no table": {"union U { B } table A { x:int (id: 0); }", "B is not a table"},
		"no id":             {"table A { x:int; }", "not of the form"},
		"implicit value":    {"enum E : byte { A }", "no explicit value"},
		"attribute":         {"table A { x:int (id: 0, required); }", "unknown attribute"},
	} {
		_, err := generate(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
