package fit

import (
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Goal is the target for fitting a model.
type Goal struct {
	// Budget and HeadBudget limit the required arena and the head, inclusive, in bytes; zero
	// means none. Without both, Fit searches for the smallest head, regardless of the arena.
	Budget, HeadBudget int64
	// MaxOverhead is the maximum of extra multiply-accumulates, as a fraction of the model's
	// own; negative means unlimited.
	MaxOverhead float64
	// Alias is the level of permitted in-place outputs.
	Alias rules.Alias
	// Device is the target.
	Device rules.Device
	// Force overrides the rewriter's refusals that can be overridden.
	Force bool
	// Progress, if set, is called with the progress of the tiling search.
	Progress func(done, all int)

	// plainly omits [Report.Sharing], which the searches of [Explain] do not show.
	plainly bool
	// alone omits searches at lower levels, which the caller does itself.
	alone bool
	// soon omits the search for the smallest head under an arena budget: the caller does it
	// later, and less often.
	soon bool
	// costs is the cache of another search on the same device, or nil.
	costs *ledger
}

// met reports whether a rung is within the budgets.
func (g *Goal) met(r *Rung) bool {
	if g.HeadBudget == 0 && g.Budget == 0 {
		return false
	}
	return (g.HeadBudget == 0 || r.Head <= g.HeadBudget) && (g.Budget == 0 || r.Required <= g.Budget)
}
