package mip

import (
	"bufio"
	"fmt"
	"io"
)

// writeMPS writes the program in the free MPS format: CBC recognises it by the word FREE, GLPK requires
// an option (glpsol --freemps).
func (p *program) writeMPS(out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, note := range p.notes {
		fmt.Fprintf(w, "* %s\n", note)
	}
	fmt.Fprint(w, "NAME arena FREE\nROWS\n N obj\n")
	for _, r := range p.rows {
		fmt.Fprintf(w, " %c %s\n", r.sense, r.name)
	}
	fmt.Fprint(w, "COLUMNS\n MARKER 'MARKER' 'INTORG'\n")
	p.writeColumns(w)
	fmt.Fprint(w, " MARKER 'MARKER' 'INTEND'\nRHS\n")
	for _, r := range p.rows {
		if r.rhs != 0 {
			fmt.Fprintf(w, " RHS %s %d\n", r.name, r.rhs)
		}
	}
	// Readers differ in the default bounds of an integer.
	fmt.Fprint(w, "BOUNDS\n")
	for _, c := range p.columns {
		if c.lo == c.hi {
			fmt.Fprintf(w, " FX BND %s %d\n", c.name, c.lo)
			continue
		}
		fmt.Fprintf(w, " LO BND %s %d\n UP BND %s %d\n", c.name, c.lo, c.name, c.hi)
	}
	fmt.Fprint(w, "ENDATA\n")
	return w.Flush()
}

// writeColumns writes the terms of each column together.
func (p *program) writeColumns(w io.Writer) {
	type entry struct {
		row    int
		factor int64
	}
	entries := make([][]entry, len(p.columns))
	for i, r := range p.rows {
		for _, t := range r.terms {
			entries[t.column] = append(entries[t.column], entry{i, t.factor})
		}
	}
	for i, c := range p.columns {
		if c.cost != 0 {
			fmt.Fprintf(w, " %s obj %d\n", c.name, c.cost)
		}
		for _, e := range entries[i] {
			fmt.Fprintf(w, " %s %s %d\n", c.name, p.rows[e.row].name, e.factor)
		}
	}
}
