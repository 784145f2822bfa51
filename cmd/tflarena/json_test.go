package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tflarena/tflarena/internal/testkit/checkout"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// schemas are those of docs/schema that were read so far, by their paths.
var schemas sync.Map

// checkSchema holds JSON that the command is about to print against the schema of the
// command. [TestMain] makes it look at the JSON of all tests, those of scripts included.
func checkSchema(data []byte) error {
	var head struct {
		Command  string
		Manifest int `json:"manifest_version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch {
	case head.Manifest > 0:
		head.Command = "segments"
	case head.Command == "":
		head.Command = "version" // whose JSON is no document
	}
	schema, err := schemaOf(head.Command)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("the JSON is not as docs/schema says: %w", err)
	}
	return nil
}

func schemaOf(command string) (*jsonschema.Schema, error) {
	path := checkout.Path("docs", "schema", strings.ReplaceAll(command, " ", "-")+".json")
	if known, ok := schemas.Load(path); ok {
		return known.(*jsonschema.Schema), nil
	}
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err == nil {
		schemas.Store(path, schema)
	}
	return schema, err
}

// The schemas are strict: an additional field, a null, a number as text, or an unknown kind is an
// error.
func TestSchemasAreStrict(t *testing.T) {
	good := execute(noTerminal(), small()["branch"], "check", "-", "--json", "--max-head", "1").stdout
	if err := checkSchema([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"pass": false`, `"pass": false, "more": 1`},
		{`"schema_version": 3`, `"schema_version": 4`},
		{`"faults": []`, `"faults": null`},
		{`"limit_bytes": 1`, `"limit_bytes": "1"`},
		{`"limit_bytes": 1`, `"limit_bytes": -1`},
		{`"kind": "arena"`, `"kind": "other"`},
		{`"warnings": []`, `"other": []`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if err := checkSchema([]byte(bad)); err == nil || bad == good {
			t.Errorf("%s passes", change[1])
		}
	}
}

// Every file of the corpus has JSON as the schemas say, whatever is wrong with it. (What
// analyze makes of them is looked at in [TestCorpus].)
func TestCorpusJSON(t *testing.T) {
	for _, f := range corpus.Models(t) {
		if info, err := os.Stat(f.Path); err != nil || testing.Short() && info.Size() > 1<<20 {
			continue
		}
		for _, args := range [][]string{{"plan", "--strategy", "greedy-by-size"}, {"plan", "--approach", "shared", "--strategy", "equality"}, {"check"}, {"verify"}} {
			got := execute(noTerminal(), nil, append(args, f.Path, "--json", "--quiet")...)
			var d struct {
				OK     *bool
				Models []struct{ Input string }
			}
			if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
				t.Errorf("%s: %v: exit %d: %v: %s", f.Name, args, got.code, err, got.stderr)
				continue
			}
			if d.OK == nil || *d.OK != (got.code == exitOK) || len(d.Models) != 1 || d.Models[0].Input != f.Path {
				t.Errorf("%s: %v: exit %d: %.300s", f.Name, args, got.code, got.stdout)
			}
		}
	}
}

// An input without a result is an element with the reason, at its position on the command line, and the
// JSON is written to its output.
func TestFailedInputs(t *testing.T) {
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "good.tflite"), small()["chain"])
	bad := write(t, filepath.Join(dir, "bad.tflite"), bytes.Repeat([]byte("bad"), 20))
	missing, report, out := filepath.Join(dir, "missing.tflite"), filepath.Join(dir, "report.json"), filepath.Join(dir, "out.tflite")
	for _, c := range []struct {
		args  []string
		code  int
		kinds string // of all elements, "" for a result
	}{
		{[]string{"analyze", good, bad, missing}, exitInvalid, ",invalid,unreadable"},
		{[]string{"analyze", bad}, exitInvalid, "invalid"},
		{[]string{"check", bad, good, dir}, exitInvalid, "invalid,,invalid,"},
		{[]string{"verify", missing}, exitFailure, "unreadable"},
		{[]string{"verify", good, missing}, exitFailure, ",unreadable"},
		{[]string{"plan", bad}, exitInvalid, "invalid"},
		{[]string{"plan", dir}, exitFailure, "unreadable"},
		{[]string{"compare", missing, good}, exitFailure, "unreadable,,"},
		{[]string{"rewrite", bad, "-o", out}, exitInvalid, "invalid"},
		{[]string{"fit", missing, "-o", out, "--least"}, exitFailure, "unreadable"},
		{[]string{"diff", good, bad}, exitInvalid, "invalid"},
		{[]string{"diff", missing, bad}, exitInvalid, "unreadable,invalid"},
	} {
		_ = os.Remove(report) // the output of another command
		got := execute(noTerminal(), nil, append(c.args, "-o", "json="+report)...)
		var d struct {
			OK     bool
			Models []struct{ Error struct{ Kind string } }
		}
		data, _ := os.ReadFile(report) // empty if it does not exist
		if err := json.Unmarshal(data, &d); err != nil {
			t.Errorf("%v: exit %d: %v: %s", c.args, got.code, err, got.stderr)
		}
		var kinds []string
		for _, m := range d.Models {
			kinds = append(kinds, m.Error.Kind)
		}
		if all := strings.Join(kinds, ","); got.code != c.code || d.OK || all != c.kinds || !strings.Contains(got.stderr, "tflarena: ") {
			t.Errorf("%v: exit %d, want %d: errors %s, want %s: %s", c.args, got.code, c.code, all, c.kinds, got.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a model is written", c.args)
		}
	}
	if got := execute(noTerminal(), nil, "plan", good, "--strategy", "none", "--json"); got.code != exitUsage || got.stdout != "" {
		t.Errorf("a wrong command line has a result: %+v", got)
	}
}
