package benchmarks

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/tflarena/tflarena/alloc"
)

// writeOptima writes optima.md: nothing that depends on the machine or on its clock,
// as long as everything is proven.
func writeOptima(w *bytes.Buffer, list []optimum) {
	w.WriteString(optimaIntroduction)
	w.WriteString("| approach | problems | bound alone | plan by search | search | not proven | best heuristic beaten |\n" +
		"|---|---:|---:|---:|---:|---:|---:|\n")
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		c := count(list, a)
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", a, c.all, c.alone, c.found, c.searched, c.unproven, c.beaten)
	}
	writeUnproven(w, list)
	w.WriteString("\n## Where it matters\n\nThe problems whose minimum is above the simple bound, or below the best heuristic.\n\n" +
		"| model | rules | approach | records | bound | paper's best | best heuristic | minimum | proven by |\n" +
		"|---|---|---|---:|---:|---:|---:|---:|---|\n")
	for _, o := range list {
		if o.proven() && o.matters() {
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", o.model, o.rules, o.approach, grouped(int64(o.records)),
				grouped(o.bound), grouped(o.paper), grouped(o.heuristic), grouped(o.total), o.proof())
		}
	}
}

// counts are numbers of problems: those proven by the bound alone, by a search that
// found a plan of the bound, by a search that found none below the total, and not;
// and those of which no heuristic finds as small a total.
type counts struct {
	all, alone, found, searched, unproven, beaten int
}

func count(list []optimum, a alloc.Approach) counts {
	var c counts
	for _, o := range list {
		if o.approach != a {
			continue
		}
		c.all++
		switch {
		case !o.proven():
			c.unproven++
		case o.quick:
			c.alone++
		case o.total == o.bound:
			c.found++
		default:
			c.searched++
		}
		if o.heuristic > o.total {
			c.beaten++
		}
	}
	return c
}

const optimaIntroduction = `# The smallest arenas of the corpus

Every model of the corpus under every rule set (` + "`tflm`" + `, ` + "`litert`" + `, ` + "`paper`" + `), by both approaches, without kernel
scratch: this is what ` + "`auto`" + ` proves. Figures are in bytes. The bound is the simple one: the largest operator breadth with its padding, or
the sum of the positional maxima. The paper's best is the least total of the strategies in the tables of
Pisarchyk and Lee 2020; the best heuristic is the least total of all strategies except ` + "`exact`" + ` and ` + "`auto`" + `.
Repeat with ` + "`go test ./benchmarks -run TestOptima -update`" + `; a test compares this document with what is found.

A minimum is proven in one of three ways: a quick strategy meets the bound, a search finds a plan that meets the bound, or a
search tries everything below the total without success. The last column counts the problems for which no heuristic finds the
minimum.

`

func writeUnproven(w *bytes.Buffer, list []optimum) {
	heading := "\n## Not proven\n\n| model | rules | approach | records | proven bound | total | gap |\n|---|---|---|---:|---:|---:|---:|\n"
	for _, o := range list {
		if o.proven() {
			continue
		}
		w.WriteString(heading)
		heading = ""
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %.2f %% |\n", o.model, o.rules, o.approach, grouped(int64(o.records)),
			grouped(o.floor), grouped(o.total), 100*float64(o.total-o.floor)/float64(o.total))
	}
}

// proof says how the minimum is proven.
func (o optimum) proof() string {
	if o.total == o.bound {
		return "the bound; plan from " + plural(o.nodes)
	}
	return "search, " + plural(o.nodes)
}

func plural(nodes int64) string {
	if nodes == 1 {
		return "1 node"
	}
	return grouped(nodes) + " nodes"
}

// grouped writes a number with a comma after each three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
