package shrink

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// outlookGoal returns the goal of [Outlook].
func outlookGoal(device rules.Device) *Goal {
	return &Goal{MaxOverhead: LittleWork, Alias: rules.NoAlias, Device: device, quick: true}
}

// outlookBytes is the size in bytes of the largest file of which an outlook is made, because each tiled model
// is a copy of it; outlookOperators is the largest number of its operators, which keeps it short.
const outlookBytes, outlookOperators = 32 << 20, 1000

// Outlook returns the best model that a small search finds, without in-place outputs and with at most
// [LittleWork] extra multiply-accumulates: [Frontier] and [Fit] find at least as good a one, unless their
// goals forbid the work. It returns nil if nothing smaller than the unmodified model is found, if ctx ends
// first, because a partial search is not deterministic, and for files of more than 32 MiB or 1000 operators.
// ownMACs are the multiply-accumulates from which the extra ones count: those of the model with its
// original operators.
func Outlook(ctx context.Context, m *tflite.Model, device rules.Device) (best *Candidate, ownMACs int64, err error) {
	if len(m.Subgraphs) == 0 || len(m.Data) > outlookBytes || len(m.Subgraphs[0].Operators) > outlookOperators {
		return nil, 0, nil
	}
	g := outlookGoal(device)
	s, err := newSearch(ctx, m, g)
	if err != nil || s.stays() {
		return nil, 0, err
	}
	if err := s.untiled(ctx, g.Alias.UpTo()); err != nil {
		return nil, 0, err
	}
	s.explore(ctx, g, 0)
	best, _ = s.best(g)
	if ctx.Err() != nil || best.Required >= s.first.Required {
		return nil, 0, nil
	}
	best, err = s.result(g)
	return best, s.macs, err
}
