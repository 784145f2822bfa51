package fit

import (
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Goal is what a model is to fit into.
type Goal struct {
	// Budget and HeadBudget limit the required arena and the head, inclusive, in bytes; zero
	// stands for none. Without any, the least head is looked for, whatever the arena.
	Budget, HeadBudget int64
	// MaxOverhead is the largest part of the model's multiply-accumulates that may come on
	// top of them; negative means any.
	MaxOverhead float64
	// Alias is which outputs may take over an input's memory.
	Alias rules.Alias
	// Device is what the arena is counted for.
	Device rules.Device
	// Force goes ahead where the rewriter refuses and can be told to.
	Force bool
	// Progress, when set, is called with how far the search for cuts is.
	Progress func(done, all int)

	// plainly leaves [Report.Sharing] out, which nobody sees of the searches of [Explain].
	plainly bool
	// alone leaves out what less freedom comes to, which who asks looks for as well.
	alone bool
	// soon leaves the least head out where the budget is one of the arena: who asks looks for it
	// later, and less often.
	soon bool
	// costs is what another search counted, on the same device, nil for none.
	costs *ledger
}

// met reports whether a rung is within the budgets.
func (g *Goal) met(r *Rung) bool {
	if g.HeadBudget == 0 && g.Budget == 0 {
		return false
	}
	return (g.HeadBudget == 0 || r.Head <= g.HeadBudget) && (g.Budget == 0 || r.Required <= g.Budget)
}
