package results

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestRelease: documents and the Python package have the version of the command.
func TestRelease(t *testing.T) {
	for _, c := range []struct{ file, pattern string }{
		{"CHANGELOG.md", `(?m)^## (\S+)`}, // the newest comes first
		{"python/pyproject.toml", `(?m)^version = "([^"]+)"`},
		{"docs/tutorials/ci.md", `tflarena/tflarena@v([0-9.]+)`},
		{"examples/ci/github.yml", `tflarena/tflarena@v(\S+)`},
		{"examples/ci/gitlab-ci.yml", `cmd/tflarena@v(\S+)`},
		{"examples/ci/pre-commit-config.yaml", `rev: v(\S+)`},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(c.pattern).FindSubmatch(text)
		if found == nil || string(found[1]) != Release {
			t.Errorf("%s: version %q, want %s", c.file, found, Release)
		}
	}
	if v := NewVersion(); v.Version != Release || v.Go == "" {
		t.Errorf("%+v", v)
	}
}
