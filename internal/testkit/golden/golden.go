// Package golden compares results of tests with files of expected results. The flag -update rewrites
// these files.
package golden

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	// Update is the flag -update.
	Update = flag.Bool("update", false, "rewrite the files that hold what is expected")
	// Audit is the flag -audit, for tests that take too long for every change.
	Audit = flag.Bool("audit", false, "try everything, which takes hours in some packages")
)

// File compares a file with the expected contents.
func File(t testing.TB, path string, got []byte) {
	t.Helper()
	if *Update {
		write(t, path, got)
		return
	}
	if diff := cmp.Diff(string(read(t, path)), string(got)); diff != "" {
		t.Errorf("%s is not what the code computes; go test with -update rewrites it (-file +computed):\n%s", path, diff)
	}
}

// Section compares a part of a document with the expected contents. The part is between the lines "<!--
// NAME -->" and "<!-- end of NAME -->".
func Section(t testing.TB, path, name, got string) {
	t.Helper()
	first, last := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begins := strings.Cut(string(read(t, path)), first)
	_, after, ends := strings.Cut(rest, last)
	if !begins || !ends {
		t.Fatalf("%s has no part %s", path, name)
	}
	File(t, path, []byte(before+first+got+last+after))
}

// JSON compares a file with a value in JSON, unless the test has failed already.
func JSON(t testing.TB, path string, value any) {
	t.Helper()
	if t.Failed() {
		t.FailNow()
	}
	fileJSON(t, path, value)
}

func fileJSON(t testing.TB, path string, value any) {
	t.Helper()
	got, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	File(t, path, append(got, '\n'))
}

// Rows is [JSON] for a list of which the test has left out some rows: these stay as in the file, and
// the number of rows must not change. With -update, the others are written even if the test has failed: they may
// have taken hours.
func Rows[T any](t testing.TB, path string, rows []T, leftOut func(i int) bool) {
	t.Helper()
	var old []T
	for i := range rows {
		if !leftOut(i) {
			continue
		}
		if old == nil {
			if old = Old[T](t, path); len(old) != len(rows) {
				t.Fatalf("%s has %d rows, and the test %d: go test with -audit -update rewrites all", path, len(old), len(rows))
			}
		}
		rows[i] = old[i]
	}
	if t.Failed() && !*Update {
		t.FailNow()
	}
	fileJSON(t, path, rows)
}

// Old returns the rows of a file that holds a list in JSON, for tests that keep rows they left out.
func Old[T any](t testing.TB, path string) (rows []T) {
	t.Helper()
	if err := json.Unmarshal(read(t, path), &rows); err != nil {
		t.Fatalf("%s: %v: go test with -audit -update rewrites it", path, err)
	}
	return rows
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: go test with -update writes it", err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
