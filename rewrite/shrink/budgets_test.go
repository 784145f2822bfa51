package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestHeadAndArena: budgets of the head and the arena are met together, in a file whose plan is right and
// in which the runtime takes what the report says.
func TestHeadAndArena(t *testing.T) {
	long(t)
	for _, seed := range []uint64{0, 3, 6, 8}[:some(4)] {
		m := wide(t, seed)
		g := goal()
		g.Alias = rules.DiagonalAlias
		own := ownOf(t, m)
		g.HeadBudget, g.Budget = own.Head*6/10, own.Required*9/10
		r := run(t, t.Context(), m, g)
		if b := &r.Steps[r.Best]; !r.Met {
			t.Errorf("seed %d: head %d within %d, arena %d within %d", seed, b.Head, g.HeadBudget, b.Required, g.Budget)
		} else {
			checkStep(t, m, g, b)
		}
	}
}
