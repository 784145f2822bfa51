package benchmarks

import (
	"fmt"
	"io"
	"strings"
)

const diagonalIntroduction = `
This table compares the same heads with ` + "`--alias diagonal`" + `, where outputs are also written over inputs that are still being
read. For each row above with ` + "`--alias overwrite`" + `, it shows the best row with ` + "`--alias diagonal`" + ` whose head is no larger. Heads
and totals are in bytes, "operators" counts the operators that ` + "`fit`" + ` added, and the arena is the total. The aim is at most half
of the operators, or an arena that is at least 5 % smaller.

| model | head with overwrite | operators | total | head with diagonal | operators | total | less | the aim |
|---|---:|---:|---:|---:|---:|---:|---:|---|
`

// diagonalRemarks are about the rows that are not measured.
const diagonalRemarks = `
The budgets ` + "`--arena 250000`" + ` and ` + "`--arena 216000`" + ` are larger than the totals, because a budget is compared with the required arena: while it
plans, the runtime needs more memory for so many operators than it keeps. The budgets ` + "`--arena 568738`" + ` and ` + "`--arena 2176016`" + ` were
95 % of the totals of an earlier search with ` + "`--alias overwrite`" + `. Both models are of floats, whose convolutions clear their outputs first, so that hardly
any outputs can be written over inputs that are still being read. ` + "`fit`" + ` meets these budgets with tiles of different sizes.

Another test takes random networks without tiles, with outputs over dying inputs.
` + "`go test ./rewrite/split -run '^TestOverlapsByteByByte$' -bytewise 10000 -timeout 2h`" + ` follows the reference kernels of 10,000
networks through a map of the arena, byte by byte. No byte is overwritten while it is still to be read. There are 29,504
overlaps in the plans of 9,878 networks. If an output is moved 16 bytes nearer to its input, the test finds 7,216 of these plans
to be wrong. This took 6 minutes of CPU time, mostly for the plans; ` + "`-bytewise-from`" + ` follows the networks in parts.
`

// writeDiagonal writes a row for each one with --alias overwrite, beside the best one with --alias
// diagonal that takes no larger head.
func writeDiagonal(w io.Writer, list []fittedRow) {
	for _, r := range list {
		if !strings.Contains(r.Budget, "--alias overwrite") {
			continue
		}
		added := r.Operators - r.OwnCount
		fmt.Fprintf(w, "| %s | %s | %d | %s | ", r.Model, grouped(r.Head), added, grouped(r.Total))
		d, found := diagonalOf(list, r)
		if !found {
			fmt.Fprintln(w, "not measured | | | | |")
			continue
		}
		few, less := d.Operators-d.OwnCount, 1-float64(d.Total)/float64(r.Total)
		aim := "missed"
		switch halved, smaller := 2*few <= added, less >= 0.05; {
		case halved && smaller:
			aim = "both"
		case halved:
			aim = "half of the operators"
		case smaller:
			aim = "a smaller arena"
		}
		fmt.Fprintf(w, "%s | %d | %s | %.1f %% | %s |\n", grouped(d.Head), few, grouped(d.Total), 100*less, aim)
	}
}

// diagonalOf returns the row with --alias diagonal of the same model, in a head no larger, that adds
// the fewest operators.
func diagonalOf(list []fittedRow, r fittedRow) (best fittedRow, found bool) {
	for _, d := range list {
		if d.Model == r.Model && strings.Contains(d.Budget, "--alias diagonal") && d.Head <= r.Head && (!found || d.Operators < best.Operators) {
			best, found = d, true
		}
	}
	return best, found
}
