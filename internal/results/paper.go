package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// PaperTables is the output of "compare" without files: the recomputed tables of Pisarchyk and Lee
// 2020, next to the published figures.
type PaperTables struct {
	Tables []PaperTable
}

// A PaperTable is one table of the paper.
type PaperTable struct {
	Title    string         `json:"title"`
	Approach alloc.Approach `json:"approach"`
	// Names of the networks, in the order of totals_bytes and paper_mib.
	Networks []string `json:"networks"`
	// Strategies and bounds of the table.
	Rows []PaperRow `json:"rows"`
}

// A PaperRow is one strategy, or a bound, on each network.
type PaperRow struct {
	// Name of the strategy or bound.
	Name string `json:"name"`
	// Figures as printed in the paper, in MiB; empty if it has none.
	PaperMiB []string `json:"paper_mib"`
	// total_bytes of the plan for each network.
	TotalBytes []int64 `json:"totals_bytes"`
}

// sign compares our figure with the published one at its precision.
func sign(bytes int64, printed string) string {
	ours := strings.ReplaceAll(units.MiB.Format(bytes, 3), ",", "")
	switch {
	case ours == printed:
		return "="
	case len(ours) < len(printed) || len(ours) == len(printed) && ours < printed:
		return "<"
	}
	return ">"
}

func (r PaperRow) cell(network int) string {
	ours := units.MiB.Format(r.TotalBytes[network], 3)
	printed := r.PaperMiB[network]
	if printed == "" {
		return fmt.Sprintf("%6s", ours)
	}
	return fmt.Sprintf("%6s %s %s", ours, sign(r.TotalBytes[network], printed), printed)
}

// Text returns the tables for people, each divided into parts that fit the width.
func (p *PaperTables) Text(s Style) string {
	var b strings.Builder
	for _, t := range p.Tables {
		const names, cell = 24, 17
		n := len(t.Networks)
		if s.Width > 0 && !s.Markdown {
			n = min(max((s.Width-names)/cell, 1), n)
		}
		for from := 0; from < len(t.Networks); from += n {
			to := min(from+n, len(t.Networks))
			s.table(&b, t.Title+" (MiB: ours, then the paper's; = equal, < ours is smaller, > larger)", t.part(from, to))
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// part returns the table of some of the networks.
func (t *PaperTable) part(from, to int) *tables.Table {
	out := &tables.Table{Columns: []tables.Column{{Head: "strategy"}}}
	for _, network := range t.Networks[from:to] {
		out.Columns = append(out.Columns, tables.Column{Head: network})
	}
	for _, r := range t.Rows {
		cells := []any{r.Name}
		for i := from; i < to; i++ {
			cells = append(cells, r.cell(i))
		}
		out.Add(cells...)
	}
	return out
}

// CSV returns every figure as a row.
func (p *PaperTables) CSV() ([]byte, error) {
	out := &tables.Table{Columns: []tables.Column{
		{Key: "approach"}, {Key: "strategy"}, {Key: "network"}, {Key: "total_bytes"}, {Key: "paper_mib"},
	}}
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			for i, network := range t.Networks {
				out.Add(t.Approach, r.Name, network, r.TotalBytes[i], r.PaperMiB[i])
			}
		}
	}
	return out.CSV()
}
