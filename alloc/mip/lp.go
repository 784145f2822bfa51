package mip

import (
	"bufio"
	"fmt"
	"io"
)

// termsPerLine keeps lines far below the shortest limit of a reader, 255 characters.
const termsPerLine = 5

// writeLP writes the program in the LP format of CPLEX, as far as CBC and GLPK agree about it:
// variables left, numbers right.
func (p *program) writeLP(out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, note := range p.notes {
		fmt.Fprintf(w, "\\ %s\n", note)
	}
	fmt.Fprint(w, "Minimize\n obj:")
	var objective []term
	for i, c := range p.columns {
		if c.cost != 0 {
			objective = append(objective, term{c.cost, i})
		}
	}
	p.writeSum(w, objective)
	fmt.Fprint(w, "\nSubject To\n")
	for _, r := range p.rows {
		fmt.Fprintf(w, " %s:", r.name)
		p.writeSum(w, r.terms)
		fmt.Fprintf(w, " %s %d\n", map[sense]string{atLeast: ">=", atMost: "<=", equal: "="}[r.sense], r.rhs)
	}
	p.writeDomains(w)
	fmt.Fprint(w, "End\n")
	return w.Flush()
}

func (p *program) writeSum(w io.Writer, terms []term) {
	for k, t := range terms {
		if k > 0 && k%termsPerLine == 0 {
			fmt.Fprint(w, "\n ")
		}
		sign, factor := "+", t.factor
		if factor < 0 {
			sign, factor = "-", -factor
		}
		if k > 0 || sign == "-" {
			fmt.Fprintf(w, " %s", sign)
		}
		if factor != 1 {
			fmt.Fprintf(w, " %d", factor)
		}
		fmt.Fprintf(w, " %s", p.columns[t.column].name)
	}
}

// writeDomains writes the bounds, and declares all columns as integers.
func (p *program) writeDomains(w io.Writer) {
	fmt.Fprint(w, "Bounds\n")
	for _, c := range p.columns {
		if c.lo == c.hi {
			fmt.Fprintf(w, " %s = %d\n", c.name, c.lo)
		} else {
			fmt.Fprintf(w, " %d <= %s <= %d\n", c.lo, c.name, c.hi)
		}
	}
	fmt.Fprint(w, "Generals\n")
	for _, c := range p.columns {
		fmt.Fprintf(w, " %s\n", c.name)
	}
}
