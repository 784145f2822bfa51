package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// code finds what stands between backquotes, and link the target of a link.
	code = regexp.MustCompile("`([^`\n]+)`")
	link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
	// path is code that reads like a file, or a folder, of the module.
	path = regexp.MustCompile(`^[a-z.][a-z0-9_.-]*(/[a-zA-Z0-9_.-]+)+$|^[a-zA-Z_]+\.(go|md|mod)$`)
	// block is a fenced block, whose contents are no prose, with the new file that it may be.
	block = regexp.MustCompile("(?ms)^(New file [^\n]*\n\n)?```.*?^```$")
)

// TestPaths: files of the module that the documents name in backquotes, or link to, exist.
func TestPaths(t *testing.T) {
	named := 0
	names := []string{"README.md", "CONTRIBUTING.md", "docs/algorithms.md", "docs/architecture.md", "docs/faq.md", "docs/guide.md", "docs/glossary.md", "docs/kernels.md", "docs/rationale.md"}
	for _, folder := range []string{"docs/guide/", "docs/tutorials/"} {
		pages, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %d pages found: %v", folder, len(pages), err)
		}
		for _, page := range pages {
			names = append(names, folder+filepath.Base(page))
		}
	}
	for _, name := range names {
		text := block.ReplaceAllString(document(t, name), "")
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			if !path.MatchString(match[1]) || strings.HasSuffix(match[1], ".tflite") || isImport(match[1]) {
				continue
			}
			named++
			if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
				t.Errorf("%s names %s: %v", name, match[1], err)
			}
		}
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), match[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, match[1], err)
			}
		}
	}
	if named < 100 {
		t.Errorf("the documents name %d files: the pattern finds too few", named)
	}
}

// isImport reports whether a word is the path of a third-party package, which begins with a domain.
func isImport(word string) bool {
	domain, _, _ := strings.Cut(word, "/")
	return strings.LastIndex(domain, ".") > 0 && strings.Contains(word, "/")
}
