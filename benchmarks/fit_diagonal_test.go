package benchmarks

import (
	"fmt"
	"io"
	"strings"
)

const diagonalIntroduction = `
The same heads with ` + "`--alias diagonal`" + `, where outputs are also written over inputs that are still being read. Of its rows
above, each is compared that has a head no larger than that of the row with ` + "`--alias overwrite`" + `; operators are
those added to the model, and an arena is the total. The aim is at most half of the operators, or an arena at least 5 % smaller.
Where nothing is measured, the search takes minutes, or has not met the head without a larger arena.

| model | head with overwrite | operators | total | head with diagonal | operators | total | less | the aim |
|---|---:|---:|---:|---:|---:|---:|---:|---|
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
