package pin

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Mode says how much of a plan is fixed.
type Mode string

const (
	// Peak fixes only what is needed to reach the best head, and leaves the rest to
	// the runtime, which then still has room for scratch that nobody told us of.
	Peak Mode = "peak"
	// All fixes every tensor that can be fixed.
	All Mode = "all"
)

// Options chooses what [Choose] does.
type Options struct {
	Mode Mode
	// Scratch is what the kernels ask for; nil where it is not known.
	Scratch []rules.Request
	// Strategy names one strategy of alloc; empty tries them all.
	Strategy string
}

// A Choice is a memory plan and what it does to the head, the part of the arena that
// the runtime plans. All sizes are in bytes.
type Choice struct {
	// Offsets holds one offset for each tensor of all subgraphs, in the order of
	// the file; -1 leaves the tensor to the runtime. It is nil where no plan makes
	// the head smaller and the mode does not ask for one all the same.
	Offsets []int32
	// Own is the head without a plan, Head the head with the plan, or Own where
	// there is none.
	Own, Head int64
	// Bound is what no plan can go below.
	Bound int64
	// Pinned is how many tensors the plan fixes, of Planned that the runtime plans.
	Pinned, Planned int
	// Strategy is the strategy whose offsets the plan fixes.
	Strategy string
	// Interrupted says that the context ended before everything was tried: the plan
	// is the best of what was.
	Interrupted bool
}

// Choose returns the best memory plan it finds for a model seen by the rule set
// "tflm". The plan's head is never above the runtime's own. When ctx ends, it returns
// the best plan so far, or ctx.Err() where there is none yet.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	c := &chooser{view: v, records: v.WithScratch(o.Scratch), tensors: len(v.Records())}
	// The runtime's planner is quick, and nothing can be said without its figure.
	own, err := c.head(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	choice := &Choice{
		Own: own, Head: own, Planned: c.tensors,
		Bound: alloc.LowerBound(alloc.Offsets, c.records),
	}
	best, err := c.best(ctx, o.Strategy, choice.Bound)
	if err != nil {
		return nil, err
	}
	choice.Interrupted = ctx.Err() != nil
	if best.head > own || best.head == own && o.Mode != All || len(best.pins) == 0 {
		return choice, nil
	}
	if o.Mode != All {
		if best.pins, err = c.reduce(ctx, best); err != nil {
			return nil, err
		}
		choice.Interrupted = ctx.Err() != nil
	}
	choice.Head, choice.Strategy, choice.Pinned = best.head, best.strategy, len(best.pins)
	choice.Offsets = c.offsets(best.pins)
	return choice, nil
}

// chooser tries pins on the runtime's planner.
type chooser struct {
	view    *rules.View
	records []lifetime.Record // tensors, then scratch
	tensors int               // how many of the records are tensors
}

// pins are fixed offsets by index of record.
type pins map[int]int64

// candidate is a set of pins and the head that the runtime reaches around them.
type candidate struct {
	strategy string
	pins     pins
	head     int64
}

// head returns the head of the runtime's planner around the pins.
func (c *chooser) head(ctx context.Context, p pins) (int64, error) {
	plan, err := c.simulate(ctx, p)
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}

func (c *chooser) simulate(ctx context.Context, p pins) (*alloc.Plan, error) {
	return alloc.Solve(ctx, c.pinned(p), alloc.Options{Approach: alloc.Offsets, Strategy: "tflm-greedy"})
}

func (c *chooser) pinned(p pins) []lifetime.Record {
	records := make([]lifetime.Record, len(c.records))
	copy(records, c.records)
	for i, offset := range p {
		records[i].Pinned, records[i].Offset = true, offset
	}
	return records
}

// best returns the candidate of the least head, all tensors fixed. When the context
// ends it returns the best so far, if any.
func (c *chooser) best(ctx context.Context, strategy string, bound int64) (candidate, error) {
	best := candidate{head: math.MaxInt64}
	for _, s := range alloc.Strategies(alloc.Offsets) {
		if strategy != "" && s.Name != strategy {
			continue
		}
		tried, err := c.try(ctx, s.Name)
		if tooMany := (*alloc.TooManyRecordsError)(nil); strategy == "" && errors.As(err, &tooMany) {
			continue
		}
		if err != nil && ctx.Err() != nil && best.pins != nil {
			break
		}
		if err != nil {
			return candidate{}, err
		}
		if tried.head < best.head {
			best = tried
		}
		if best.head == bound {
			break
		}
	}
	if best.head == math.MaxInt64 {
		return candidate{}, fmt.Errorf("no strategy is called %q", strategy)
	}
	return best, nil
}

// try returns the offsets of a strategy and the head around them.
func (c *chooser) try(ctx context.Context, strategy string) (candidate, error) {
	plan, err := alloc.Solve(ctx, c.records, alloc.Options{Approach: alloc.Offsets, Strategy: strategy, SearchTime: alloc.DefaultSearchTime})
	if err != nil {
		return candidate{}, err
	}
	tried := candidate{strategy: strategy, pins: c.fixable(plan)}
	tried.head, err = c.head(context.WithoutCancel(ctx), tried.pins)
	return tried, err
}

// Fixed returns the memory plan that fixes the offsets in bytes of the view's
// records, scratch behind them left aside, as far as a model file can: one offset
// for each tensor of all subgraphs, in the order of the file; -1 leaves the tensor to
// the runtime.
func Fixed(v *rules.View, offsets []int64) []int32 {
	c := &chooser{view: v, records: v.Records(), tensors: len(v.Records())}
	return c.offsets(c.fixable(&alloc.Plan{Offsets: offsets}))
}

// fixable returns the offsets of a plan that a model file can fix.
func (c *chooser) fixable(plan *alloc.Plan) pins {
	p := pins{}
	free := c.open()
	for i := range c.records[:c.tensors] {
		if !free[i] && plan.Offsets[i] <= math.MaxInt32-c.records[i].Size {
			p[i] = plan.Offsets[i]
		}
	}
	return p
}

// open returns the records that are left to the runtime in any case.
//
// What is never used, and what belongs to subgraphs that are never called, is alive
// at -1 alone: fixing it can only collide. And where a subgraph above the first has
// variables, the runtime looks for their offsets at the entry of the same index in
// subgraph 0 and leaves them without memory if that entry is fixed.
func (c *chooser) open() map[int]bool {
	variables := map[int]bool{}
	for _, s := range c.view.Model.Subgraphs[min(1, len(c.view.Model.Subgraphs)):] {
		for i := range s.Tensors {
			if s.Tensors[i].Variable {
				variables[i] = true
			}
		}
	}
	open := map[int]bool{}
	for i, at := range c.view.Usage.Places {
		open[i] = c.records[i].Last < 0 || at.Subgraph == 0 && variables[at.Tensor]
	}
	return open
}

// offsets spreads the pins over all tensors of the file.
func (c *chooser) offsets(p pins) []int32 {
	start, n := starts(c.view.Model), 0
	for i := range c.view.Model.Subgraphs {
		n += len(c.view.Model.Subgraphs[i].Tensors)
	}
	offsets := make([]int32, n)
	for i := range offsets {
		offsets[i] = -1
	}
	for i, offset := range p {
		at := c.view.Usage.Places[i]
		offsets[start[at.Subgraph]+at.Tensor] = int32(offset)
	}
	return offsets
}
