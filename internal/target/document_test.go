package target

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

var link = regexp.MustCompile(`https://\S*/([^/\s,]+)`)

// TestDocument compares the tables of docs/targets.md with the targets; -update writes them.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "targets.md")
	cores, chips, boards := start("name", "title", "core", "ABI", "kernels"), start("name", "chip", "core", "kernels", "SRAM", "source", "MHz", "source of the clock"), start("name", "board", "chip")
	for _, g := range List() {
		kernels := "`" + g.Kernels + "`"
		if g.Kernels == "" {
			kernels = "not modelled: " + g.KernelsNote
		}
		switch {
		case g.Chip != "":
			row(boards, "`"+g.Name+"`", g.Title, "`"+g.Chip+"`")
		case len(g.Regions) > 0:
			var sizes []string
			for _, r := range g.Regions {
				sizes = append(sizes, fmt.Sprintf("%s %s KiB", r.Name, strings.TrimSuffix(fmt.Sprintf("%.2f", float64(r.Bytes)/1024), ".00")))
			}
			row(chips, "`"+g.Name+"`", g.Title, g.Core, kernels, strings.Join(sizes, ", "), linked(g.Source), megahertz(g.Clock), linked(g.ClockSource))
		default:
			row(cores, "`"+g.Name+"`", g.Title, g.Core, "`"+g.ABI.Name+"`", kernels)
		}
	}
	golden.Section(t, path, "cores", cores.String()+"\n")
	golden.Section(t, path, "chips", chips.String()+"\n")
	golden.Section(t, path, "boards", boards.String()+"\n")
}

func linked(source string) string { return link.ReplaceAllString(source, "[$1]($0)") }

// megahertz returns a clock, "" if it is not known.
func megahertz(clock int) string {
	if clock == 0 {
		return ""
	}
	return strconv.Itoa(clock)
}

// start begins a table with a blank line and its header.
func start(columns ...string) *strings.Builder {
	b := &strings.Builder{}
	b.WriteByte('\n')
	row(b, columns...)
	b.WriteString(strings.Repeat("|---", len(columns)) + "|\n")
	return b
}

func row(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}
