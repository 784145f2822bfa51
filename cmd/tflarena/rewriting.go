package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// rewriting is one run of the command "rewrite".
type rewriting struct {
	c     *cli.Context
	model *tflite.Model
	// base is what a plan is made for: the model, unless its operators change places.
	base *tflite.Model
	// mended says that base is in a valid order, and the model is not; mends that LiteRT
	// runs the new order right, and not the file's.
	mended, mends bool
	target        rules.Target
	// own is the scratch of the model, scratch that of base.
	own, scratch []rules.Request
	// before is what the runtime makes of the model as it is, wrong what LiteRT gets wrong.
	before *embedded
	wrong  []rules.Hazard
	report *results.Rewrite
	// data is the new file.
	data []byte
	// ctx ends with --time-limit, and searched is how many searches had a share of it.
	ctx      context.Context
	searched int
}

func (p *program) rewriting(c *cli.Context) (*rewriting, error) {
	m, err := p.loadModel(c.Context, c.Args().First())
	if err != nil {
		return nil, err
	}
	w := &rewriting{c: c, model: m, base: m, data: m.Data}
	if w.own, err = requests(c, m); err != nil {
		return nil, err
	}
	w.scratch = w.own
	if w.target, err = target(c); err != nil {
		return nil, err
	}
	if w.before, err = follow(m.Name, m, w.scratch); err != nil {
		return nil, err
	}
	o, broken := w.before.outcome, w.before.warnings(m)
	v, err := microView(m)
	if err != nil {
		return nil, err
	}
	w.wrong = wrongInLiteRT(v)
	arena := o.Arena(w.target)
	w.report = &results.Rewrite{
		SchemaVersion: results.SchemaVersion, Input: m.Name, Method: string(rewrite.Unchanged),
		Pin: c.String("pin"), Scratch: c.String("scratch"), ScratchRequests: len(w.scratch), PointerBytes: w.target.Pointer,
		HeadBeforeBytes: o.Head, HeadAfterBytes: o.Head, OnlineBytes: o.Head, PlanBroken: len(broken) > 0,
		ABI: w.target.ABI, ArenaBeforeBytes: arena.Used(), ArenaAfterBytes: arena.Used(),
		SmallestArenaBeforeBytes: arena.Smallest, SmallestArenaAfterBytes: arena.Smallest,
		TensorsFixed: o.Pinned, TensorsPlanned: o.Planned,
		FileBeforeBytes: int64(len(m.Data)), FileAfterBytes: int64(len(m.Data)),
		Alias: c.String("alias"), Takeovers: []results.Takeover{},
		Changes: []string{}, Notes: []string{scratchNote(c, len(w.scratch))}, Warnings: append(warnings(o.View), broken...),
	}
	w.report.Warnings = append(w.report.Warnings, fileWarnings(v)...)
	return w, nil
}

// changed reports whether the new file differs from the old one.
func (w *rewriting) changed() bool { return !bytes.Equal(w.data, w.model.Data) }

// run makes the new file and checks it.
func (w *rewriting) run() error {
	online, err := pin.Follow(w.c.Context, w.model, nil, w.own)
	if err != nil {
		return named(w.model.Name, err)
	}
	w.report.OnlineBytes = online.Head
	w.report.LowerBoundBytes = alloc.LowerBound(alloc.Offsets, online.Records)
	if w.c.Bool("reorder") || w.c.Bool("toposort") {
		err = w.mend()
	}
	switch {
	case err != nil:
	case w.c.Bool("remove"):
		err = w.takeOut(online.Head)
	default:
		err = w.plan()
	}
	if err == nil {
		err = w.check()
	}
	w.report.SavedBytes = w.report.Compared() - w.report.HeadAfterBytes
	w.report.FileAfterBytes = int64(len(w.data))
	return named(w.model.Name, err)
}

// plan decides between the plan that the model has, a new one and none.
func (w *rewriting) plan() error {
	foreign := w.foreign()
	force := w.c.Bool("force")
	if foreign != "" && !force {
		w.keep("the plan is another tool's: " + foreign + "; --force replaces it")
		return nil
	}
	choice, err := w.choose(pin.Mode(w.c.String("pin")))
	if err == nil && w.c.Bool("reorder") {
		if done, err := w.planReordered(choice); done || err != nil {
			return err
		}
		if reason, err := w.idle(choice, foreign); reason != "" || err != nil {
			w.leave(reason)
			return err
		}
	}
	if err == nil && choice.Offsets == nil && foreign != "" {
		// Who forces a plan out wants another one in its place.
		choice, err = w.choose(pin.All)
	}
	if err != nil {
		return err
	}
	if foreign != "" {
		w.warnForeign(foreign)
	}
	sound := w.before.followed() && foreign == "" && !w.report.PlanBroken && !w.mended
	head := w.before.outcome.Head
	switch {
	case sound && (head < choice.Head || head == choice.Head && choice.Offsets == nil):
		w.keep(fmt.Sprintf("%s is better than the one in the model, %s B", w.noPlan(), units.Exact(head)))
		return nil
	case choice.Offsets != nil:
		return w.embed(choice)
	case w.mended:
		return w.orderAlone()
	case w.before.problem != nil:
		return w.remove("the runtime could not follow it", choice.Own)
	case w.report.PlanBroken:
		return w.remove(fmt.Sprintf("it was broken, and %s is better than what the runtime's own planner makes", w.noPlan()), choice.Own)
	case w.before.plan != nil:
		return w.remove("the runtime does better without, or as well", choice.Own)
	}
	w.report.Action, w.report.Reason = results.Copied, w.nothing(choice)
	return nil
}

// nothing says why there is nothing to gain.
func (w *rewriting) nothing(choice *pin.Choice) string {
	if choice.Own == choice.Bound {
		return fmt.Sprintf("nothing to gain: the runtime's own planner reaches the lower bound, %s B", units.Exact(choice.Own))
	}
	return fmt.Sprintf("nothing to gain: %s is better than what the runtime's own planner makes, %s B", w.noPlan(), units.Exact(choice.Own))
}

// noPlan names, for the beginning of a sentence, what was tried in vain.
func (w *rewriting) noPlan() string {
	if s := w.c.String("strategy"); s != alloc.Auto {
		return "no plan by " + s
	}
	return "no plan that was found"
}

func (w *rewriting) warnForeign(foreign string) {
	w.report.Warnings = append(w.report.Warnings, foreignGoes(foreign))
}

// foreignGoes warns of the loss of another tool's plan, given what shows that it is one.
func foreignGoes(foreign string) string {
	return "the plan of another tool goes (" + foreign + "); what its custom operators expect of memory may not hold any more"
}

// takeOut takes the plan out, as --remove asks for. Another tool's plan, which nobody
// can make again, goes for nothing in return only when that is forced.
func (w *rewriting) takeOut(head int64) error {
	foreign, before := w.foreign(), w.before.outcome.Head
	if foreign != "" && head > before && !w.c.Bool("force") {
		return hint(&rewrite.RefusedError{Force: true, Reason: fmt.Sprintf(
			"the plan is another tool's (%s), which alone can make it again, and without it the head grows from %s B to %s B",
			foreign, units.Exact(before), units.Exact(head))})
	}
	if foreign != "" {
		w.warnForeign(foreign)
	}
	if w.c.Bool("reorder") {
		if done, err := w.orderOnly(); done || err != nil {
			return err
		}
	}
	if w.mended {
		return w.orderAlone() // the plan went with the old order
	}
	return w.remove("", head)
}

func (w *rewriting) choose(mode pin.Mode) (*pin.Choice, error) {
	ctx, cancel := w.share()
	defer cancel()
	v, err := microView(w.base)
	if err != nil {
		return nil, err
	}
	o := pin.Options{Mode: mode, Scratch: w.scratch, Strategy: w.c.String("strategy"), Alias: rules.Alias(w.c.String("alias"))}
	if o.Strategy == alloc.Auto {
		o.Strategy = "" // which tries more than auto does: what counts is the head
	}
	choice, err := pin.Choose(ctx, v, o)
	if errors.Is(err, context.DeadlineExceeded) && w.ctx.Err() == nil {
		choice, err = pin.Choose(w.ctx, v, o) // any plan comes before another order
	}
	if err != nil {
		return nil, solveError(w.c, v.Records(), err)
	}
	w.report.Strategy, w.report.Pin, w.report.Interrupted = choice.Strategy, string(cmp.Or(mode, pin.Peak)), choice.Interrupted
	return choice, nil
}

// share returns a context that ends with the part of the time that one of several searches may
// take: --time-limit is for all of them, and what one leaves is for those behind it.
func (w *rewriting) share() (context.Context, context.CancelFunc) {
	const orderings = 3 // a plan in the order of the file, an order, and a plan in that
	searches := 1
	if w.c.Bool("reorder") && !w.c.Bool("remove") {
		searches = max(orderings-w.searched, 1)
	}
	w.searched++
	deadline, limited := w.ctx.Deadline()
	if !limited {
		return context.WithCancel(w.ctx)
	}
	return context.WithTimeout(w.ctx, time.Until(deadline)/time.Duration(searches))
}

// microView returns a model as TensorFlow Lite Micro sees it.
func microView(m *tflite.Model) (*rules.View, error) {
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return nil, invalidError{err}
	}
	return v, nil
}

// foreign says why the plan of the model is another tool's, or "". A plan that the
// runtime cannot follow is nobody's.
func (w *rewriting) foreign() string {
	if !w.before.followed() {
		return ""
	}
	v, _ := w.before.verify(w.model) // without a verdict the header may say enough
	return w.before.plan.Foreign(w.model, v.Aliases())
}
