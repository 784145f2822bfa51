package benchmarks

import (
	"bytes"
	"fmt"
	"strconv"
)

// writeOptima writes optima.md: nothing that depends on the machine or on its clock,
// as long as everything is proven.
func writeOptima(w *bytes.Buffer, list []optimum) {
	var proven, alone, found, exhausted int
	var unproven, matter []optimum
	for _, o := range list {
		switch {
		case !o.proven():
			unproven = append(unproven, o)
			continue
		case o.total > o.bound:
			exhausted++
		case o.nodes > 0:
			found++
		default:
			alone++
		}
		proven++
		if o.matters() {
			matter = append(matter, o)
		}
	}
	w.WriteString(optimaIntroduction)
	fmt.Fprintf(w, "%d problems: %d proven, %d not. ", len(list), proven, len(unproven))
	fmt.Fprintf(w, "Of the proven, %d by the bound alone (a quick strategy meets it), %d by a search that found a plan that\n"+
		"meets the bound, %d by a search that went through all there is below the total.\n", alone, found, exhausted)
	writeUnproven(w, unproven)
	fmt.Fprintf(w, "\n## Where it matters\n\nThe %d problems whose minimum is above the simple bound, or below the best heuristic.\n\n", len(matter))
	w.WriteString("| model | rules | approach | records | bound | paper's best | best heuristic | minimum | proven by |\n" +
		"|---|---|---|---:|---:|---:|---:|---:|---|\n")
	for _, o := range matter {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", o.model, o.rules, o.approach, grouped(int64(o.records)),
			grouped(o.bound), grouped(o.paper), grouped(o.heuristic), grouped(o.total), o.proof())
	}
}

const optimaIntroduction = `# The smallest arenas of the corpus

Every model of the corpus under every rule set (` + "`tflm`, `litert`, `paper`" + `), by both approaches, without kernel
scratch: what ` + "`auto`" + ` proves. In bytes. The bound is the simple one: the largest operator breadth with its padding, or
the sum of the positional maxima. The paper's best is the least of the strategies in the tables of Pisarchyk and Lee
2020; the best heuristic that of all strategies but ` + "`exact` and `auto`" + `.
Repeat with ` + "`go test ./benchmarks -run TestOptima -update`" + `; a test compares this document with what is found.

`

func writeUnproven(w *bytes.Buffer, list []optimum) {
	if len(list) == 0 {
		return
	}
	w.WriteString("\n## Not proven\n\n| model | rules | approach | records | proven bound | total | gap |\n|---|---|---|---:|---:|---:|---:|\n")
	for _, o := range list {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %.2f %% |\n", o.model, o.rules, o.approach, grouped(int64(o.records)),
			grouped(o.floor), grouped(o.total), 100*float64(o.total-o.floor)/float64(o.total))
	}
}

// proof says how the minimum is proven.
func (o optimum) proof() string {
	switch {
	case o.total == o.bound && o.nodes == 0:
		return "the bound"
	case o.total == o.bound:
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
