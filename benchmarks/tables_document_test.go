package benchmarks

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const mebibyte = 1 << 20

// writeMarkdown writes the tables for people: MiB with the paper's three decimals, followed by its
// figure in parentheses.
func writeMarkdown(w io.Writer, tables []Table) error {
	var b strings.Builder
	b.WriteString("# The tables of Pisarchyk and Lee 2020, computed anew\n\n" +
		"Networks as built by package `models`, records by the rule set `paper`. In MiB, ours first and the\n" +
		"figure that the paper prints (it says MB) in parentheses; bytes are in `paper-tables.csv`.\n" +
		"Regenerate with `go test ./benchmarks -update`; see them with `tflarena compare`.\n")
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n| strategy | the paper's name | %s |\n", t.Title, strings.Join(t.Networks, " | "))
		b.WriteString("|---|---|" + strings.Repeat("---:|", len(t.Networks)) + "\n")
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "| `%s` | %s |", r.Name, r.Title)
			for i, bytes := range r.Bytes {
				fmt.Fprintf(&b, " %.3f", float64(bytes)/mebibyte)
				if r.Paper[i] != "" {
					fmt.Fprintf(&b, " (%s)", r.Paper[i])
				}
				b.WriteString(" |")
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCSV writes the tables for programs, one row per figure.
func writeCSV(w io.Writer, tables []Table) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"approach", "strategy", "network", "bytes", "paper_mib"}); err != nil {
		return err
	}
	for _, t := range tables {
		for _, r := range t.Rows {
			for i, bytes := range r.Bytes {
				row := []string{string(t.Approach), r.Name, t.Networks[i], strconv.FormatInt(bytes, 10), r.Paper[i]}
				if err := c.Write(row); err != nil {
					return err
				}
			}
		}
	}
	c.Flush()
	return c.Error()
}
