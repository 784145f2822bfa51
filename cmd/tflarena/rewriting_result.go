package main

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// keep leaves the model as it is.
func (w *rewriting) keep(reason string) {
	w.report.Action, w.report.Reason, w.report.Strategy = results.Kept, reason, ""
}

// leave leaves the model as it is, with the plan that it has, if any.
func (w *rewriting) leave(reason string) {
	w.keep(reason)
	if w.before.plan == nil {
		w.report.Action = results.Copied
	}
}

// embed writes a plan into the model.
func (w *rewriting) embed(choice *pin.Choice) error {
	r, err := rewrite.Embed(w.base, choice.Offsets, rewrite.Options{Force: w.c.Bool("force")})
	if err != nil {
		return hint(err)
	}
	w.take(r)
	w.report.Action = results.Embedded
	w.report.HeadAfterBytes, w.report.TensorsFixed = choice.Head, choice.Pinned
	if len(choice.Taken) > 0 {
		w.report.Takeovers = results.NewTakeovers(choice.Records, choice.Taken)
		w.report.LowerBoundBytes = choice.Bound
		w.report.Notes = append(w.report.Notes, aliasNote(rules.Alias(w.c.String("alias")), len(choice.Taken)))
	}
	if r.Method == rewrite.Unchanged {
		w.report.Reason = "the model has this plan already"
	}
	return nil
}

// remove takes the plan out, without which the head has so many bytes.
func (w *rewriting) remove(reason string, head int64) error {
	r, err := rewrite.Remove(w.base, rewrite.Options{Force: w.c.Bool("force")})
	if err != nil {
		return hint(err)
	}
	w.take(r)
	w.report.Action, w.report.Reason, w.report.Strategy = results.Removed, reason, ""
	w.report.HeadAfterBytes, w.report.TensorsFixed = head, 0
	if r.Method == rewrite.Unchanged {
		w.report.Action, w.report.Reason = results.Copied, "the model carries no plan"
	}
	return nil
}

func (w *rewriting) take(r *rewrite.Result) {
	w.data = r.Data
	if r.Method != rewrite.Unchanged {
		w.report.Method = string(r.Method)
	}
	w.report.ShiftBytes += r.Added
	w.report.Changes = append(w.report.Changes, r.Changes...)
}

// hint says how to go ahead where a refusal can be overridden.
func hint(err error) error {
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) && refused.Force {
		return fmt.Errorf("%w; --force goes ahead all the same", err)
	}
	return err
}

// check looks at the new file as at any other: it parses, its plan holds, and the
// runtime makes of it the head that was promised.
func (w *rewriting) check() error {
	if !w.changed() {
		return nil
	}
	const fault = "fault in tflarena, please report it; nothing was written: "
	m, err := tflite.Parse(w.data, w.model.Name)
	if err != nil {
		return fmt.Errorf(fault+"%w", err)
	}
	if err := stillRuns(w.model, m); err != nil {
		return fmt.Errorf(fault+"%w", err)
	}
	v, err := verify.Plan(m)
	if err != nil {
		return fmt.Errorf(fault+"%w", err)
	}
	for _, f := range v.Findings {
		if f.Severity == verify.Failure {
			return fmt.Errorf(fault+"the new plan: %w", &f)
		}
	}
	e, err := follow(m.Name, m, w.scratch)
	if err != nil {
		return fmt.Errorf(fault+"%w", err)
	}
	if e.outcome.Head != w.report.HeadAfterBytes || e.problem != nil {
		return fmt.Errorf(fault+"the head is %d B, not the %d B that were promised (%v)", e.outcome.Head, w.report.HeadAfterBytes, e.problem)
	}
	if err := w.checkLiteRT(m); err != nil {
		return fmt.Errorf(fault+"%w", err)
	}
	w.compareArenas(e.outcome.Arena(w.target))
	return nil
}

// compareArenas says where a smaller head makes the smallest arena no smaller, or not by as
// much.
func (w *rewriting) compareArenas(after rules.Arena) {
	r := w.report
	r.ArenaAfterBytes, r.SmallestArenaAfterBytes = after.Used(), after.Smallest
	head, arena := r.Compared()-r.HeadAfterBytes, r.SmallestArenaBeforeBytes-r.SmallestArenaAfterBytes
	if head <= 0 || arena >= head || r.PlanBroken {
		return
	}
	shrinks := "does not shrink with the head"
	if arena > 0 {
		shrinks = fmt.Sprintf("shrinks by %s B alone", units.Exact(arena))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("the smallest arena, %s B, %s: most is needed when %s",
		units.Exact(after.Smallest), shrinks, after.Decides))
}
