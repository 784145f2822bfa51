package pin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
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
	// Alias says which outputs may take over an input's memory; empty means none do.
	// They are only made to where that makes the head smaller.
	Alias rules.Alias
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
	// Taken are the outputs that take over an input's memory, by the view's Records.
	Taken   []lifetime.Takeover
	Records []lifetime.Record
	// Interrupted says that the context ended before everything was tried: the plan
	// is the best of what was.
	Interrupted bool
}

// Choose returns the best memory plan it finds for a model seen by the rule set
// "tflm". The plan's head is never above the runtime's own. When ctx ends, it returns
// the best plan so far, or ctx.Err() where there is none yet.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	plain := newChooser(v, o.Scratch, nil)
	best, err := choose(ctx, plain, o)
	if err != nil {
		return nil, err
	}
	takeovers := v.Takeovers(cmp.Or(o.Alias, rules.NoAlias))
	for _, list := range [][]lifetime.Takeover{schedule.Whole(v.Records(), takeovers), takeovers} {
		if len(list) == 0 || best.Interrupted {
			continue
		}
		c := newChooser(v, o.Scratch, list)
		aliased, err := choose(ctx, c, o)
		if err != nil {
			return best, nil // which has the plan without
		}
		if aliased.Head < best.Head {
			aliased.Own, aliased.Taken, aliased.Records = best.Own, c.merged.Taken, v.Records()
			best = aliased
		}
	}
	return best, nil
}

// choose is Choose for one way of merging records.
func choose(ctx context.Context, c *chooser, o Options) (*Choice, error) {
	// The runtime's planner is quick, and nothing can be said without its figure.
	own, err := c.head(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	choice := &Choice{
		Own: own, Head: own, Planned: len(c.view.Records()),
		Bound: c.bound(),
	}
	best, err := c.best(ctx, o.Strategy, choice.Bound)
	if err != nil {
		return nil, err
	}
	choice.Interrupted = ctx.Err() != nil
	switch noGain := best.head > own || best.head == own && o.Mode != All; {
	case c.aliased() && len(best.pins) == 0:
		choice.Head = math.MaxInt64 // own is of merged records, which the runtime does not have
		return choice, nil
	case noGain && !c.aliased() || len(best.pins) == 0:
		return choice, nil
	}
	if o.Mode != All {
		if best.pins, err = c.reduce(ctx, best); err != nil {
			return nil, err
		}
		// With fewer pins the runtime may do better still.
		if best.head, err = c.head(context.WithoutCancel(ctx), best.pins); err != nil {
			return nil, err
		}
		choice.Interrupted = ctx.Err() != nil
	}
	choice.Head, choice.Strategy = best.head, best.strategy
	choice.Offsets = c.offsets(best.pins)
	for k := range best.pins {
		choice.Pinned += len(c.merged.Groups[k])
	}
	return choice, nil
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
	for i := range c.records[:c.tensors] {
		if _, ok := tried.pins[i]; c.shared(i) && !ok {
			tried.head = math.MaxInt64 // too high up to be fixed
			return tried, nil
		}
	}
	tried.head, err = c.head(context.WithoutCancel(ctx), tried.pins)
	return tried, err
}

// Fixed returns the memory plan that fixes the offsets in bytes of the view's
// records, scratch behind them left aside, as far as a model file can: one offset
// for each tensor of all subgraphs, in the order of the file; -1 leaves the tensor to
// the runtime.
func Fixed(v *rules.View, offsets []int64) []int32 {
	c := newChooser(v, nil, nil)
	return c.offsets(c.fixable(&alloc.Plan{Offsets: offsets}))
}
