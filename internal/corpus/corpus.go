// Package corpus finds the shared test data, which is read in place and never
// copied: real models, planner benchmarks and the papers' records.
package corpus

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// Dir returns the folder of shared test data: $TFLARENA_SHARED, or the folder
// "shared" beside the project. Where there is none it skips the test, saying so,
// or fails it when TFLARENA_REQUIRE_SHARED is 1.
func Dir(t testing.TB) string {
	t.Helper()
	dir := Find()
	if dir != "" {
		return dir
	}
	const message = "left out: no shared test data (set TFLARENA_SHARED to its folder)"
	if os.Getenv("TFLARENA_REQUIRE_SHARED") == "1" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

// Find returns what [Dir] does, or "" where there is no shared test data.
func Find() string {
	dir := os.Getenv("TFLARENA_SHARED")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "models", "MANIFEST.tsv")); err != nil {
		return ""
	}
	return dir
}

// A File is one row of the corpus manifest.
type File struct {
	// Name is the path below the models folder, Path the path to open.
	Name, Path string
	// Exit is the exit code that "tflarena analyze" owes the file.
	Exit int
}

// Models returns the model files of the manifest, in its order, without the CSV
// problems.
func Models(t testing.TB) []File {
	t.Helper()
	dir := filepath.Join(Dir(t), "models")
	f, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, row := range rows[1:] {
		if filepath.Ext(row[0]) == ".csv" {
			continue
		}
		exit, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatalf("manifest row %s: %v", row[0], err)
		}
		files = append(files, File{row[0], filepath.Join(dir, filepath.FromSlash(row[0])), exit})
	}
	return files
}

// Accepted returns those of [Models] that are to be read without an error.
func Accepted(t testing.TB) (files []File) {
	t.Helper()
	for _, f := range Models(t) {
		if f.Exit == 0 {
			files = append(files, f)
		}
	}
	return files
}
