package fit

import (
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Goal is what a model is to fit into.
type Goal struct {
	// Head and Arena are budgets in bytes, zero for none: of what the runtime plans, and
	// of the smallest arena in which it allocates all that it needs. Without any the least
	// head is looked for, whatever the arena.
	Head, Arena int64
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
	if g.Head == 0 && g.Arena == 0 {
		return false
	}
	return (g.Head == 0 || r.Head <= g.Head) && (g.Arena == 0 || r.Smallest <= g.Arena)
}
