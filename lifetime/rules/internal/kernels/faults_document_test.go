package kernels

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
)

var effectWords = map[Effect]string{
	Refuses: "does not run: refused", Crashes: "does not run: crashes", Hangs: "does not run: hangs",
	Miscomputes: "wrong results", Overruns: "wrong results: memory outside its buffers", Unwritten: "wrong results: output unwritten", Stale: "old memory",
}

var evidenceWords = map[Evidence]string{
	Run: "run", Assertions: "run; builds with assertions only", Rounding: "run; one output step", Upstream: "upstream issue", Source: "source",
}

// TestFaultsDocument compares the table of docs/faults.md with the code; -update writes it.
func TestFaultsDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "..", "docs", "faults.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const first, last = "<!-- faults -->\n", "<!-- end of faults -->\n"
	before, rest, begins := strings.Cut(string(data), first)
	_, after, ends := strings.Cut(rest, last)
	if !begins || !ends {
		t.Fatalf("%s has no table", path)
	}
	golden.File(t, path, []byte(before+first+"\n"+faultsTable(t)+"\n"+last+after))
}

func faultsTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| operator | condition | effect | `--kernels` | evidence | where |\n|---|---|---|---|---|---|\n")
	for _, k := range known {
		if k.When == "" || k.Link == "" || k.Versions == "" {
			t.Errorf("a row of %v lacks its condition, link or versions", k.operators)
		}
		var names []string
		if k.operators == nil {
			names = append(names, "all")
		}
		for _, code := range k.operators {
			name := code.String()
			if code == schema.BuiltinOperatorCUSTOM {
				name = Decode
			}
			names = append(names, name)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s %s, %s |\n", strings.Join(names, ", "), k.When, effectWords[k.Effect], libraries(k), evidenceWords[k.Evidence], k.Library, k.Versions, k.Link)
	}
	return b.String()
}

// libraries names the libraries of a row, by any of their releases: a family means all of its builds.
func libraries(k Known) string {
	has := func(l *Library) bool { return k.builds(l) || slices.ContainsFunc(l.Older, k.builds) }
	if !slices.ContainsFunc(Libraries, func(l *Library) bool { return !has(l) }) {
		return "all"
	}
	var names []string
	for _, p := range projects {
		var with []string
		for _, l := range p.builds {
			if has(l) {
				with = append(with, l.Base())
			}
		}
		if len(with) == len(p.builds) {
			with = []string{p.builds[0].Family}
		}
		names = append(names, with...)
	}
	return strings.Join(names, ", ")
}
