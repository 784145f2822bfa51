package models

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestPapersTable keeps the sizes of the networks from other papers, in float and int8, in a
// golden file that "go test -update" writes.
func TestPapersTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("network operators weights_bytes multiply_adds litert_tensors litert_lower_bound_bytes\n")
	for _, n := range List(Papers) {
		for _, name := range []string{n.Name, n.Name + Int8} {
			data := build(t, name, Options{})
			m := parse(t, data, name)
			r := rules.LiteRT()
			view, err := r.View(m, 0)
			if err != nil {
				t.Fatal(err)
			}
			records := view.Records()
			fmt.Fprintln(&b, name, len(m.Subgraphs[0].Operators), externalBytes(data), count(data).multiplyAdds, len(records), lifetime.MaxBreadth(records))
		}
	}
	golden.File(t, filepath.Join("testdata", "papers.txt"), []byte(b.String()))
}
