package shrink

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// outlookGoal returns the goal of [Outlook].
func outlookGoal(device rules.Device) *Goal {
	return &Goal{MaxOverhead: LittleWork, Alias: rules.NoAlias, Device: device}
}

// Outlook returns the best model that a small search finds, without in-place outputs and with at most
// [LittleWork] extra multiply-accumulates: [Frontier] and [Fit] find at least as good a one, unless their goals forbid the work. It returns
// nil if nothing smaller than the unmodified model is found, and if ctx ends first: a partial search is
// not deterministic.
func Outlook(ctx context.Context, m *tflite.Model, device rules.Device) (*Candidate, error) {
	g := outlookGoal(device)
	s, err := newSearch(ctx, m, g)
	if err != nil || s.stays() {
		return nil, err
	}
	if err := s.untiled(ctx, g.Alias.UpTo()); err != nil {
		return nil, err
	}
	s.explore(ctx, g, outlook)
	best, _ := s.best(g)
	if ctx.Err() != nil || best.Required >= s.first.Required {
		return nil, nil
	}
	return best, nil
}
