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

// outlookBytes is the size of the largest file of which an outlook is made, in bytes: each tiled model is a
// copy of it.
const outlookBytes = 32 << 20

// Outlook returns the best model that a small search finds, without in-place outputs and with at most
// [LittleWork] extra multiply-accumulates: [Frontier] and [Fit] find at least as good a one, unless their
// goals forbid the work. It returns nil if nothing smaller than the unmodified model is found, if ctx ends
// first, because a partial search is not deterministic, and for files of more than 32 MiB.
func Outlook(ctx context.Context, m *tflite.Model, device rules.Device) (*Candidate, error) {
	if len(m.Data) > outlookBytes {
		return nil, nil
	}
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
