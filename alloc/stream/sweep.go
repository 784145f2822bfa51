package stream

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/bound"
	"github.com/tflarena/tflarena/alloc/stream/internal/model"
	"github.com/tflarena/tflarena/internal/deadline"
)

// A Curve says how fast a network runs in how much memory.
type Curve struct {
	Least  *LeastBudget
	Points []Point
	// Knee is the index of the point beyond which more memory buys the least: the one that lies
	// farthest below the line from the first point to the last.
	Knee int
	// Interrupted says that the context ended before all points were searched.
	Interrupted bool
}

// A Point is what there is in one budget, in bytes.
type Point struct {
	Budget int64
	// Best is the plan of [Best], Published that of [FlexNN], nil where that finds none.
	Best, Published *Plan
	// LowerBound is a latency that no plan goes below.
	LowerBound time.Duration
}

// leastParts says that the search for the least budget may take one of so many parts of the time.
const leastParts = 4

// Whole returns a budget in bytes in which everything is resident: all weights and the largest step.
func Whole(net *Network) int64 {
	var all, most int64
	for _, w := range net.Weights() {
		all += w
	}
	for _, live := range net.Live() {
		most = max(most, live)
	}
	return all + most
}

// Sweep plans in so many budgets, from the least one to [Whole], each larger than the one before by the
// same part. More memory is never slower: where it is, the plan of less memory is taken.
// The errors are those of [Solve].
func Sweep(ctx context.Context, net *Network, points int, opt Options) (*Curve, error) {
	part, cancel := deadline.Share(ctx, leastParts)
	least, err := Least(part, net, LeastOptions{})
	if cancel(); err != nil {
		return nil, err
	}
	c := &Curve{Least: least}
	opt.Strategy = Best
	for i := range max(points, 2) {
		part := float64(i) / float64(max(points, 2)-1)
		budget := int64(float64(least.Bytes) * math.Pow(float64(max(Whole(net), least.Bytes))/float64(max(least.Bytes, 1)), part))
		p, err := c.point(ctx, net, max(budget, least.Bytes), opt)
		if err != nil && ctx.Err() != nil && len(c.Points) > 0 {
			c.Interrupted = true
			break
		}
		if err != nil {
			return nil, err
		}
		c.Interrupted = c.Interrupted || p.Best.Interrupted
		c.Points = append(c.Points, p)
	}
	c.Knee = knee(c.Points)
	return c, nil
}

// point plans in one budget.
func (c *Curve) point(ctx context.Context, net *Network, budget int64, opt Options) (Point, error) {
	p := Point{Budget: budget}
	var err error
	if p.Best, err = Solve(ctx, net, budget, opt); err != nil {
		return p, err
	}
	p.LowerBound = p.Best.LowerBound
	if n := len(c.Points); n > 0 && c.Points[n-1].Best.Latency < p.Best.Latency {
		p.Best = c.Points[n-1].Best
	}
	published := opt
	published.Strategy, published.Quick = FlexNN, true
	p.Published, err = Solve(context.WithoutCancel(ctx), net, budget, published)
	if none := (*NoPlanError)(nil); errors.As(err, &none) {
		err = nil
	}
	return p, err
}

// knee returns the index of the point farthest below the line from the first point to the last.
func knee(points []Point) int {
	first, last := points[0], points[len(points)-1]
	best, most := 0, 0.0
	for i, p := range points {
		across := float64(p.Budget-first.Budget) / float64(max(last.Budget-first.Budget, 1))
		down := float64(first.Best.Latency-p.Best.Latency) / float64(max(first.Best.Latency-last.Best.Latency, 1))
		if down-across > most {
			best, most = i, down-across
		}
	}
	return best
}

// An UnreachableError is [WithinLatency]'s error for a latency below that of a run in which everything
// is resident.
type UnreachableError struct{ Latency, Fastest time.Duration }

// Error returns a sentence with both latencies.
func (e *UnreachableError) Error() string {
	return "no amount of memory makes a run take " + e.Latency.String() + ": computing alone takes " + e.Fastest.String()
}

// WithinLatency looks for the plan of the least budget that takes at most a given latency, and
// returns it with a number of bytes that no budget with such a plan goes below. Its errors are
// [*UnreachableError] and those of [Solve].
func WithinLatency(ctx context.Context, net *Network, latency time.Duration, opt Options) (*Plan, int64, error) {
	part, cancel := deadline.Share(ctx, leastParts)
	least, err := Least(part, net, LeastOptions{})
	if cancel(); err != nil {
		return nil, 0, err
	}
	opt.Strategy = Best
	best, err := Solve(ctx, net, max(Whole(net), least.Bytes), opt)
	if err != nil {
		return nil, 0, err
	}
	if best.Latency > latency {
		return nil, 0, &UnreachableError{latency, best.LowerBound}
	}
	if opt.SearchNodes == 0 {
		opt.SearchNodes = DefaultNodes(net) / 4
	}
	low, high := least.Bytes-1, best.Budget // no plan is known in low, and one in high
	for high-low > max(high/2000, model.Alignment) && ctx.Err() == nil {
		budget := low + (high-low)/2
		plan, err := Solve(ctx, net, max(budget, least.Bytes), opt)
		switch {
		case err != nil && ctx.Err() == nil:
			return nil, 0, err
		case err == nil && plan.Latency <= latency:
			best, high = plan, plan.Peak
		default:
			low = budget
		}
	}
	best.Interrupted = best.Interrupted || ctx.Err() != nil
	return best, leastBytes(net, least.LowerBound, high, latency), nil
}

// leastBytes returns the least budget between two whose bound of the latency is not above one.
func leastBytes(net *Network, low, high int64, latency time.Duration) int64 {
	for low < high {
		budget := low + (high-low)/2
		if bound.Quick(net, budget) <= latency {
			high = budget
		} else {
			low = budget + 1
		}
	}
	return low
}
