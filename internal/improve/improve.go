package improve

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// Improve reduces a model's required arena and returns the new file, which was parsed again,
// verified and simulated. When ctx ends it returns the best result so far, or the unmodified
// model; with a deadline, work that needs no search is done nevertheless. All searches of a run
// share the available time.
//
// Its errors are [*ModelError], [*DisorderError], [*rewrite.RefusedError],
// [*rewrite.FaultError], and the errors of [pin.Choose] and [reorder.Choose].
func Improve(ctx context.Context, m *tflite.Model, g Goal) (*Outcome, error) {
	filled, r, err := fillCodes(m, g)
	if err != nil {
		return nil, err
	}
	o, err := improve(ctx, filled, g)
	if err != nil {
		return nil, err
	}
	o.follows(m, r)
	return o, nil
}

// Current returns the state of a model before [Improve]. The error is a [*ModelError].
func Current(ctx context.Context, m *tflite.Model, g Goal) (State, error) {
	w, err := newImprover(ctx, m, g.completed())
	if err != nil {
		return State{}, err
	}
	return w.state(), nil
}

func improve(ctx context.Context, m *tflite.Model, g Goal) (*Outcome, error) {
	w, err := newImprover(ctx, m, g.completed())
	if err != nil {
		return nil, err
	}
	d, after, err := w.run(ctx)
	if over(err) {
		d, after = w.leave(Note{OutOfTime, "the time was over before there was anything to show"}), w.arena
		d.interrupted = true
	} else if err != nil {
		return nil, err
	}
	return w.outcome(d, after), nil
}

// improver is the state of one run of [Improve] on a model.
type improver struct {
	goal  Goal
	model *tflite.Model
	// before is the embedded plan's result in the runtime, arena the arena with it. broken
	// reports that the plan is invalid; foreign describes the signs that it is another tool's.
	before  *embedded.Carried
	arena   rules.Arena
	broken  bool
	foreign string
	// wrong are the hazards that LiteRT violates.
	wrong []rules.Hazard
	// online is the head without a plan, bound a lower bound of the head for all plans.
	online, bound int64
	// searched is the number of searches that had a share of the time.
	searched int

	ordering        *schedule.Ordering
	notes, warnings []Note
}

func newImprover(ctx context.Context, m *tflite.Model, g Goal) (*improver, error) {
	w := &improver{goal: g, model: m}
	var err error
	if w.before, err = embedded.Follow(context.WithoutCancel(ctx), g.Device, m, g.Device.Kernels); err != nil {
		return nil, &ModelError{err}
	}
	w.arena = w.before.Outcome.Arena(g.Device)
	// Until more is known, and permanently if the time runs out.
	w.online, w.bound = w.before.Outcome.Head, 0
	kinds := map[embedded.Trouble]Kind{embedded.Unfollowed: PlanUnfollowed, embedded.Unverified: PlanUnverified, embedded.Broken: PlanBroken}
	if kind, text := w.before.Trouble(m); kind != embedded.Sound {
		w.broken = true
		w.warn(kinds[kind], "the memory plan that the model carries "+text)
	}
	w.foreign = w.before.Foreign(m)
	v, err := w.view(m)
	if err != nil {
		return nil, err
	}
	w.wrong = embedded.WrongInLiteRT(v)
	switch text, mendable := embedded.LiteRTWarning(v, w.wrong); {
	case mendable:
		w.warn(WrongAsItIs, text)
	case text != "":
		w.warn(WrongInLiteRT, text)
	}
	return w, nil
}

func (w *improver) note(kind Kind, text string) { w.notes = append(w.notes, Note{kind, text}) }
func (w *improver) warn(kind Kind, text string) { w.warnings = append(w.warnings, Note{kind, text}) }

// run decides on the change of the model and checks the result; after is the new arena.
func (w *improver) run(ctx context.Context) (d *decision, after rules.Arena, err error) {
	online, err := w.follow(ctx, w.model, nil, w.goal.Device.Requests(w.model))
	if err != nil {
		return nil, after, err
	}
	w.online, w.bound = online.Head, alloc.LowerBound(alloc.Offsets, online.Records)
	start := w.asItIs()
	if w.goal.Reorder || w.goal.Toposort {
		if start, err = w.mend(start); err != nil {
			return nil, after, err
		}
	}
	if w.goal.Remove {
		d, err = w.takeOut(ctx, start)
	} else {
		d, err = w.plan(ctx, start)
	}
	if err != nil {
		return nil, after, err
	}
	after, err = w.check(ctx, d)
	return d, after, err
}

// follow is [pin.Follow] in a context that ends when ctx is cancelled, but not at its deadline:
// it is fast, and its result is always needed.
func (w *improver) follow(ctx context.Context, m *tflite.Model, offsets []int32, scratch []rules.Request) (*pin.Outcome, error) {
	patient, release := withoutDeadline(ctx)
	defer release()
	return pin.Follow(patient, w.goal.Device.Rules(), m, offsets, scratch)
}

// withoutDeadline returns a context that ends when ctx is cancelled, or already was, but not at
// its deadline.
func withoutDeadline(ctx context.Context) (patient context.Context, release func()) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx, func() {}
	}
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return patient, func() {
		stop()
		cancel()
	}
}

// view returns TensorFlow Lite Micro's view of a model with the goal's kernels.
func (w *improver) view(m *tflite.Model) (*rules.View, error) {
	v, err := w.goal.Device.Rules().View(m, -1)
	if err != nil {
		return nil, &ModelError{err}
	}
	return v, nil
}
