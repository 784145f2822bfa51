package improve

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// check checks the new file like any other: it parses, its plan is valid, and the runtime
// reaches the promised head. It returns the arena of the new file.
func (w *improver) check(ctx context.Context, d *decision) (rules.Arena, error) {
	if bytes.Equal(d.data, w.model.Data) {
		return w.arena, nil
	}
	after, err := w.inspect(ctx, d)
	if err != nil {
		return after, &rewrite.FaultError{Err: err}
	}
	w.compareArenas(d, after)
	return after, nil
}

func (w *improver) inspect(ctx context.Context, d *decision) (none rules.Arena, err error) {
	m, err := tflite.Parse(d.data, w.model.Name)
	if err != nil {
		return none, err
	}
	if err := embedded.StillRuns(w.model, m, w.goal.Device); err != nil {
		return none, err
	}
	v, err := verify.PlanFor(m, w.goal.Device.Kernels)
	if err != nil {
		return none, err
	}
	for _, f := range v.Findings {
		if f.Severity == verify.Failure {
			return none, fmt.Errorf("the new plan: %w", &f)
		}
	}
	patient, release := withoutDeadline(ctx)
	defer release()
	moved := w.goal.Device.WithScratch(w.goal.Device.ScratchSource(), func(*tflite.Model) []rules.Request { return d.scratch })
	c, err := embedded.Follow(patient, moved, m, "")
	if err != nil {
		return none, fmt.Errorf("%s: %w", m.Name, &ModelError{err})
	}
	if c.Outcome.Head != d.head || c.Problem != nil {
		return none, fmt.Errorf("the head is %s, not the %s that were promised (%v)", units.ExactBytes(c.Outcome.Head), units.ExactBytes(d.head), c.Problem)
	}
	if err := w.checkLiteRT(d, m); err != nil {
		return none, err
	}
	return c.Outcome.Arena(w.goal.Device), nil
}

// compareArenas adds a note if a smaller head does not reduce the required arena by the same
// amount.
func (w *improver) compareArenas(d *decision, after rules.Arena) {
	head, arena := w.compared(d)-d.head, w.arena.Required-after.Required
	if head <= 0 || arena >= head || w.broken {
		return
	}
	shrinks := "does not shrink with the head"
	if arena > 0 {
		shrinks = fmt.Sprintf("shrinks by only %s B", units.Number(arena))
	}
	w.note(ArenaLags, fmt.Sprintf("the required arena, %s B, %s: most memory is needed when %s",
		units.Number(after.Required), shrinks, after.Decides))
}
