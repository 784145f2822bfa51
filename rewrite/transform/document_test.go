package transform

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestRulesDocument compares the table of docs/rules.md with the code; -update writes it.
func TestRulesDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "rules.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const first, last = "<!-- rules -->\n", "<!-- end of rules -->\n"
	before, rest, begins := strings.Cut(string(data), first)
	_, after, ends := strings.Cut(rest, last)
	if !begins || !ends {
		t.Fatalf("%s has no table", path)
	}
	golden.File(t, path, []byte(before+first+"\n"+rulesTable(t)+"\n"+last+after))
}

func rulesTable(t *testing.T) string {
	t.Helper()
	name, seen := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), map[string]bool{}
	var b strings.Builder
	b.WriteString("| rule | purpose | operators | condition | becomes | because | exact with |\n|---|---|---|---|---|---|---|\n")
	for _, r := range Rules() {
		if !name.MatchString(r.Name) || seen[r.Name] || Lookup(r.Name) != r || (len(r.Operators) == 0) != (r.file != nil) || r.Condition == "" || r.Result == "" || r.Reason == "" || len(r.Exact.Kernels) == 0 {
			t.Errorf("rule %q has no name of its own, or lacks a field", r.Name)
		}
		seen[r.Name] = true
		var codes []string
		for _, code := range r.Operators {
			codes = append(codes, code.String())
		}
		if len(codes) == 0 {
			codes = []string{"the file"}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", r.Name, r.Purpose, strings.Join(codes, ", "), r.Condition, r.Result, r.Reason, r.Exact)
	}
	return b.String()
}
