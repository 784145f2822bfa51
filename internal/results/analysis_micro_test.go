package results

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// A tiled model without a gain is omitted, compared with the model as it is, the best plan and the best
// order.
func TestSetTiled(t *testing.T) {
	of := func(arena int64) rules.Figures { return rules.Figures{Required: arena, Used: arena} }
	plan, order := of(900), of(800)
	for arena, kept := range map[int64]bool{799: true, 800: false, 899: false, 1001: false} {
		a := &Analysis{Figures: of(1000), WithPlan: &plan, WithOrder: &order}
		if a.SetTiled(&Outlook{Figures: of(arena)}); (a.Tiled != nil) != kept {
			t.Errorf("%d bytes: %v", arena, a.Tiled)
		}
	}
}
