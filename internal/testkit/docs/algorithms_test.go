package docs

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestAlgorithms: docs/algorithms.md lists all strategies as the registry describes them.
func TestAlgorithms(t *testing.T) {
	for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		var b strings.Builder
		b.WriteString("| strategy | what it does | source | time |\n|---|---|---|---|\n")
		for _, s := range alloc.Strategies(approach) {
			time := s.Complexity
			if s.MaxRecords > 0 {
				time += fmt.Sprintf(", at most %d tensors", s.MaxRecords)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, s.Summary, cmp.Or(s.Source, "-"), time)
		}
		golden.Section(t, filepath.Join(root, "docs", "algorithms.md"), string(approach), b.String())
	}
}
