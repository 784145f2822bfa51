package docs

import (
	"go/doc"
	"strings"
	"testing"
)

// TestExamples: every public package has an example whose output is checked. Package schema is
// generated code that others are not meant to use, and benchmarks has documents alone.
func TestExamples(t *testing.T) {
	public := 0
	for _, p := range libraries(t) {
		if p.path == "schema" || p.path == "benchmarks" || strings.HasPrefix(p.sentence, "Command ") || strings.Contains("/"+p.path, "/internal/") {
			continue
		}
		public++
		if !hasExample(t, p.path) {
			t.Errorf("%s has no example whose output is checked", p.path)
		}
	}
	if public < 20 {
		t.Errorf("there are %d public packages: the list is too short", public)
	}
}

// hasExample reports whether the tests of a package have an example with output.
func hasExample(t *testing.T, path string) bool {
	t.Helper()
	for _, e := range doc.Examples(parseTests(t, path)...) {
		if e.Output != "" {
			return true
		}
	}
	return false
}
