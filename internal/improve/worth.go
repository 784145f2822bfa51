package improve

import (
	"context"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// worth returns the arena in the new order of next, under a plan. It reports whether that is smaller than in the
// order of start under each of others, or equal if the new order repairs start's.
func (w *improver) worth(ctx context.Context, start, next draft, offsets []int32, others [][]int32) (arena rules.Arena, is bool, err error) {
	if arena, err = w.arenaUnder(ctx, next, offsets); err != nil {
		return arena, false, err
	}
	least := int64(math.MaxInt64)
	if !w.goal.Remove && w.before.Followed() && !w.broken && !start.mended {
		least = w.arena.Required
	}
	for _, other := range others {
		old, err := w.arenaUnder(ctx, start, other)
		if err != nil {
			return arena, false, err
		}
		least = min(least, old.Required)
	}
	return arena, arena.Required < least || arena.Required == least && next.mends, nil
}

// noteNoSmaller adds a note if another order, which is not taken, has a smaller head than the model.
func (w *improver) noteNoSmaller(arena rules.Arena) {
	if arena.Head < w.before.Outcome.Head {
		w.note(OrderNoSmaller, fmt.Sprintf(
			"another order has a head of %s B, but its required arena is no smaller, %s B: most memory is needed when %s",
			units.Number(arena.Head), units.Number(arena.Required), arena.Decides))
	}
}

// arenaUnder returns the arena of a draft under a plan, nil for none.
func (w *improver) arenaUnder(ctx context.Context, d draft, offsets []int32) (rules.Arena, error) {
	o, err := w.follow(ctx, d.base, offsets, d.scratch)
	if err != nil {
		return rules.Arena{}, err
	}
	return o.Arena(w.goal.Device), nil
}

// idle keeps the model unmodified if a plan for the draft's order gains nothing despite a
// smaller head. It returns nil if the plan gains something or is needed for another reason.
func (w *improver) idle(ctx context.Context, start draft, choice *pin.Choice) (*decision, error) {
	if choice.Offsets == nil || w.foreign != "" || start.mended || w.broken || w.before.Problem != nil {
		return nil, nil
	}
	arena, err := w.arenaUnder(ctx, start, choice.Offsets)
	if err != nil || arena.Required < w.arena.Required {
		return nil, err
	}
	d := w.leave(Note{NoSmallerArena, fmt.Sprintf("nothing to gain: a head of %s B is possible, but the required arena stays at %s B: most memory is needed when %s",
		units.Number(choice.Head), units.Number(w.arena.Required), arena.Decides)})
	d.interrupted = choice.Interrupted
	return d, nil
}
