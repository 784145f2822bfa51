package verify

import (
	"github.com/tflarena/tflarena/rewrite"
)

// variables checks that nothing is placed over a variable with an offset, which persists
// between runs. Overlaps with tensors live at the same time are already reported; this checks
// the rest of the run, during which the runtime considers its memory free.
func (v *verifier) variables() {
	budget := maxPairs
	for _, p := range v.pinned {
		if !p.variable || p.Start >= p.End {
			continue
		}
		if budget -= len(v.pinned) + len(v.online); budget < 0 {
			v.report(LawVariable, Failure, p.index, nil, "there are too many variables with an offset to check them all")
			return
		}
		v.checkPlanned(p)
		v.checkRuntimePlaced(p)
	}
}

// checkPlanned checks for tensors that the plan itself places over a variable.
func (v *verifier) checkPlanned(p pinned) {
	for _, q := range v.pinned {
		pair := q.index != p.index && !(q.variable && q.index < p.index) // each pair of variables once
		if pair && q.Start < p.End && p.Start < q.End && disjoint(p, q.First, q.Last) {
			v.report(LawVariable, Failure, q.index, []Use{p.Use, q.Use},
				"%s is placed over the variable %s, whose contents outlive the run", q.Use, p.Use)
			return
		}
	}
}

func disjoint(p pinned, first, last int) bool { return last < p.First || p.Last < first }

// checkRuntimePlaced checks for tensors that the runtime may place over a variable. It starts at the
// bottom and avoids only tensors live at the same time.
func (v *verifier) checkRuntimePlaced(p pinned) {
	for _, r := range v.online {
		if disjoint(p, r.First, r.Last) {
			use := Use{ID: r.ID, Name: r.Name, First: r.First, Last: r.Last, Start: rewrite.Online, End: rewrite.Online}
			v.report(LawVariable, Failure, p.index, []Use{p.Use, use},
				"the runtime is free to place tensor %s %q (positions %d to %d) over the variable %s, whose contents outlive the run",
				r.ID, r.Name, r.First, r.Last, p.Use)
			return
		}
	}
	if p.Last < len(v.view.Usage.Steps)-1 || p.First > 0 {
		v.report(LawVariable, Note, p.index, []Use{p.Use},
			"kernel scratch may be placed over the variable %s outside of these positions", p.Use)
	}
}
