package pin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Mode selects how much of a plan is fixed.
type Mode string

const (
	// Peak fixes only the tensors needed to reach the best head and leaves the rest to the
	// runtime, which then still has room for scratch unknown here.
	Peak Mode = "peak"
	// All fixes every tensor that can be fixed.
	All Mode = "all"
)

// Options configures [Choose].
type Options struct {
	Mode Mode
	// Scratch is the kernels' scratch requests; nil if unknown.
	Scratch []rules.Request
	// Strategy is the name of a strategy of alloc; empty tries all.
	Strategy string
	// Alias is the level of permitted in-place outputs; empty means none. They are used only if
	// that reduces the head.
	Alias rules.Alias
	// Limit is a target head in bytes, zero for none: there is no plan in the choice without one
	// within it. Such a plan may be found when the smallest is not.
	Limit int64
	// Effort scales the work of the searches for a plan; 0 stands for 1.
	Effort float64
	// Finer also plans large parts of a model with overlapping or in-place outputs in smaller parts, which takes several times as
	// long ([inplace.Chain.Finer]).
	Finer bool
	// Memo remembers plans of parts of the model for other models with the same parts; nil remembers nothing. It does not
	// change results.
	Memo *inplace.Memo
}

// Choice is a memory plan and its effect on the head, the part of the arena that the runtime
// plans. All sizes are in bytes.
type Choice struct {
	// Offsets holds one offset for each tensor of all subgraphs, in file order; -1 leaves the
	// tensor to the runtime. It is nil if no plan reduces the head, unless the mode requires a
	// plan.
	Offsets []int32
	// Own is the head without a plan, Head the head with the plan, or Own if there is no plan.
	Own, Head int64
	// Bound is a lower bound of the head for all plans with the same sharing of memory.
	Bound int64
	// Pinned is the number of tensors fixed by the plan, Planned the number that the runtime
	// plans.
	Pinned, Planned int
	// Strategy is the strategy whose offsets the plan fixes, "chain" for plans built link by
	// link.
	Strategy string
	// Taken are the in-place outputs, by indexes of Records, the view's records.
	Taken   []lifetime.Takeover
	Records []lifetime.Record
	// Overlaps are the outputs that share bytes with an input that dies meanwhile.
	Overlaps []lifetime.Overlap
	// Interrupted reports that the context ended before everything was tried: the plan is the
	// best one found so far.
	Interrupted bool
}

// Choose returns the best memory plan it finds for a model seen by the rule set "tflm". The
// plan's head never exceeds the runtime's own. When ctx ends, it returns the best plan so far,
// or ctx.Err() if there is none.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	plain := newChooser(v, o.Scratch, rules.NoAlias)
	plain.effort = o.Effort
	// The runtime's planner is fast, and its head is always needed.
	own, err := plain.head(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	choice := &Choice{Own: own, Head: own, Planned: len(v.Records()), Bound: plain.bound()}
	limit := own
	if o.Limit > 0 {
		limit = min(limit, o.Limit+1)
	}
	shared, winner := aliased(ctx, v, o, limit)
	best := candidate{head: math.MaxInt64}
	if !(o.Limit > 0 && plain.bound() > o.Limit) && (shared == nil || winner.head >= plain.bound()) { // otherwise no plan without in-place outputs is as small
		switch {
		case o.Limit > 0:
			best = plain.decided(ctx, o)
		case o.Effort > 0 && o.Effort < 1:
			best, err = plain.best(ctx, cmp.Or(o.Strategy, alloc.Exact), plain.bound())
		default:
			best, err = plain.best(ctx, o.Strategy, plain.bound())
		}
		if err != nil && (shared == nil || ctx.Err() == nil) {
			return nil, err
		}
		if err == nil && shared != nil && best.head <= winner.head {
			shared = nil
		}
	}
	switch {
	case shared != nil:
		choice.Bound, choice.Taken, choice.Records = shared.bound(), shared.merged.Taken, v.Records()
		err = shared.finish(ctx, choice, winner, o.Mode)
	case best.head < own || best.head == own && o.Mode == All:
		err = plain.finish(ctx, choice, best, o.Mode)
	}
	choice.Interrupted = ctx.Err() != nil
	return choice, err
}

// aliased returns the best plan with shared memory and a head below limit, or nil.
func aliased(ctx context.Context, v *rules.View, o Options, limit int64) (winner *chooser, best candidate) {
	alias := cmp.Or(o.Alias, rules.NoAlias)
	if alias == rules.NoAlias {
		return nil, best
	}
	var ways []*chooser
	none, takeovers := newChooser(v, o.Scratch, alias), v.Takeovers(alias)
	none.effort = o.Effort
	for _, way := range inplace.TakeoverSets(v.Records(), takeovers) {
		ways = append(ways, none.with(way))
	}
	if last := ways[len(ways)-1]; len(last.permitted) > 0 && len(last.merged.Taken) > 0 {
		ways = append(ways, none)
	}
	slices.SortStableFunc(ways, func(a, b *chooser) int { return cmp.Compare(a.bound(), b.bound()) })
	if c, tried := linked(ctx, none, takeovers, o, limit); c != nil {
		winner, best, limit = c, tried, tried.head
	}
	for _, c := range ways {
		if o.Limit > 0 && winner != nil {
			return winner, best
		}
		if tried, ok := c.within(ctx, o); ok && tried.head < limit {
			winner, best, limit = c, tried, tried.head
			break
		}
	}
	if o.Limit > 0 {
		return winner, best
	}
	for _, c := range ways {
		if !c.aliased() || ctx.Err() != nil || limit <= c.bound() {
			continue
		}
		tried, err := c.best(ctx, cmp.Or(o.Strategy, alloc.Exact), c.bound())
		if err == nil && len(tried.pins) > 0 && tried.head < limit {
			winner, best, limit = c, tried, tried.head
		}
	}
	return winner, best
}

// decided returns a plan within the target head, or one with an endless head.
func (c *chooser) decided(ctx context.Context, o Options) candidate {
	if tried, ok := c.found(ctx, o); ok {
		return tried
	}
	return candidate{head: math.MaxInt64}
}

// within returns a plan with shared memory within the target head, if one is found quickly.
func (c *chooser) within(ctx context.Context, o Options) (candidate, bool) {
	if !c.aliased() {
		return candidate{}, false
	}
	return c.found(ctx, o)
}

// found returns a plan within the target head, if one is found quickly.
func (c *chooser) found(ctx context.Context, o Options) (candidate, bool) {
	if o.Strategy != "" || o.Limit < c.bound() {
		return candidate{}, false
	}
	verdict, err := alloc.Fit(ctx, c.records, o.Limit, c.permit(alloc.Options{SearchNodes: c.searchNodes()}))
	if err != nil || verdict.Answer != alloc.Fits {
		return candidate{}, false
	}
	tried, err := c.candidate(ctx, alloc.Exact, verdict.Plan)
	return tried, err == nil && tried.head <= o.Limit
}

// finish makes a choice of a candidate, with as many pins as the mode requires.
func (c *chooser) finish(ctx context.Context, choice *Choice, best candidate, mode Mode) error {
	if len(best.pins) == 0 {
		return nil
	}
	if mode != All {
		var err error
		if best.pins, err = c.reduce(ctx, best); err != nil {
			return err
		}
		// With fewer pins the runtime may do even better.
		if best.head, err = c.head(context.WithoutCancel(ctx), best.pins); err != nil {
			return err
		}
	}
	choice.Head, choice.Strategy = best.head, best.strategy
	choice.Offsets, choice.Overlaps = c.offsets(best.pins), c.overlapping(best.pins)
	for k := range best.pins {
		choice.Pinned += len(c.merged.Groups[k])
	}
	return nil
}

// best returns the candidate with the smallest head, all tensors fixed. When the context ends
// it returns the best so far, if any.
func (c *chooser) best(ctx context.Context, strategy string, bound int64) (candidate, error) {
	best := candidate{head: math.MaxInt64}
	for _, s := range alloc.Strategies(alloc.Offsets) {
		if strategy != "" && s.Name != strategy || strategy == "" && s.Name == alloc.Auto {
			continue // auto only selects among the others
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

// Search limits for a plan. Nodes end the searches, fewer of them if there are more records, so
// that results do not depend on the machine; the time limit covers the worst case.
const (
	searchNodes   = 50_000
	searchRecords = 600
	searchTime    = time.Minute
)

// searchNodes returns the maximum number of nodes in a search for a plan.
func (c *chooser) searchNodes() int64 {
	return scaled(searchNodes, c.effort) * searchRecords / max(searchRecords, int64(len(c.records)))
}

// scaled returns a number of nodes times an effort, at least one.
func scaled(nodes int64, effort float64) int64 {
	if effort == 0 {
		return nodes
	}
	return max(1, int64(float64(nodes)*effort))
}

// try returns the offsets of a strategy and the resulting head.
func (c *chooser) try(ctx context.Context, strategy string) (candidate, error) {
	plan, err := alloc.Solve(ctx, c.records, c.permit(alloc.Options{
		Approach: alloc.Offsets, Strategy: strategy, SearchTime: searchTime, SearchNodes: c.searchNodes(),
	}))
	if err != nil {
		return candidate{}, err
	}
	return c.candidate(ctx, strategy, plan)
}

// candidate returns the head around the offsets of a plan.
func (c *chooser) candidate(ctx context.Context, strategy string, plan *alloc.Plan) (tried candidate, err error) {
	tried = candidate{strategy: strategy, pins: c.fixable(plan)}
	for i := range c.records[:c.tensors] {
		if _, ok := tried.pins[i]; c.shared(i) && !ok {
			tried.head = math.MaxInt64 // too high to be fixed
			return tried, nil
		}
	}
	tried.head, err = c.head(context.WithoutCancel(ctx), tried.pins)
	return tried, err
}

// Fixed returns the memory plan that fixes the offsets, in bytes, of the view's records, as far
// as a model file can: one offset for each tensor of all subgraphs, in file order; -1 leaves a
// tensor to the runtime. Offsets of scratch, which follow the records', are ignored.
func Fixed(v *rules.View, offsets []int64) []int32 {
	c := newChooser(v, nil, rules.NoAlias)
	return c.offsets(c.fixable(&alloc.Plan{Offsets: offsets}))
}
