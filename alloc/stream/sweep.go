package stream

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/bound"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/deadline"
)

// A Curve is the trade-off between memory and latency of a network.
type Curve struct {
	Least  *LeastBudget
	Points []Point
	// Knee is the index of the point farthest below the line from the first point to the last.
	Knee int
	// Interrupted is set if the context ended before all points were searched.
	Interrupted bool
}

// A Point has the plans of one budget, in bytes.
type Point struct {
	Budget int64
	// Best is the plan of [Best], and Published the plan of [FlexNN] or nil.
	Best, Published *Plan
	// LowerBound is a lower bound of the latency.
	LowerBound time.Duration
}

// leastParts is the number of equal parts of the time, of which the search for the least budget has
// one.
const leastParts = 4

// Whole returns a budget in bytes that holds all weights and the largest step.
func Whole(net *network.Network) int64 {
	var all, most int64
	for _, w := range net.Weights() {
		all += w
	}
	for _, live := range net.Live() {
		most = max(most, live)
	}
	return all + most
}

// Sweep plans for a number of budgets in geometric progression from the least one to [Whole]. If a
// plan is slower than one of a smaller budget, or as fast and reads more, Sweep takes the latter. It returns errors of [Solve].
func Sweep(ctx context.Context, net *network.Network, points int, opt Options) (*Curve, error) {
	part, cancel := deadline.Share(ctx, leastParts)
	least, err := Least(part, net)
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

// point plans for one budget.
func (c *Curve) point(ctx context.Context, net *network.Network, budget int64, opt Options) (Point, error) {
	p := Point{Budget: budget}
	var err error
	if p.Best, err = Solve(ctx, net, budget, opt); err != nil {
		return p, err
	}
	p.LowerBound = p.Best.LowerBound
	if n := len(c.Points); n > 0 {
		p.Best = p.Best.OrSmaller(c.Points[n-1].Best)
	}
	published := opt
	published.Strategy, published.Quick = FlexNN, true
	p.Published, err = Solve(context.WithoutCancel(ctx), net, budget, published)
	if none := (*NoPlanError)(nil); errors.As(err, &none) {
		err = nil
	}
	return p, err
}

// OrSmaller returns the better of p and a plan of the same network in a smaller budget, in the budget of p: a search may find
// less in more memory. The smaller plan may be nil.
func (p *Plan) OrSmaller(smaller *Plan) *Plan {
	if smaller == nil || !smaller.better(p) {
		return p
	}
	best := *smaller
	best.Budget, best.LowerBound, best.ReadBound = p.Budget, p.LowerBound, p.ReadBound
	best.Optimal = best.Latency == best.LowerBound
	best.Interrupted, best.Nodes, best.Elapsed = p.Interrupted, p.Nodes, p.Elapsed
	return &best
}

// better reports whether a plan is faster than another, or as fast and reads fewer bytes, or takes less memory then.
func (p *Plan) better(q *Plan) bool {
	return cmp.Or(cmp.Compare(p.Latency, q.Latency), cmp.Compare(p.Read, q.Read), cmp.Compare(p.Peak, q.Peak)) < 0
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

// An UnreachableError is the error of [WithinLatency] for a latency that no amount of memory reaches.
type UnreachableError struct{ Latency, Fastest time.Duration }

func (e *UnreachableError) Error() string {
	return "no amount of memory makes a run take " + e.Latency.String() + ": computing alone takes " + e.Fastest.String()
}

// upward is the inverse of the step between budgets until a plan is found.
const upward = 32

// WithinLatency searches for the plan with the smallest budget that takes at most the given latency. It
// also returns a lower bound of this budget, in bytes. Errors are [*UnreachableError] and the errors of
// [Solve].
func WithinLatency(ctx context.Context, net *network.Network, latency time.Duration, opt Options) (*Plan, int64, error) {
	part, cancel := deadline.Share(ctx, leastParts)
	least, err := Least(part, net)
	if cancel(); err != nil {
		return nil, 0, err
	}
	opt.Strategy, opt.leastMemory = Best, true
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
	// Whether a search finds a plan depends on the budget in no simple way. So the budgets just above the bound come first.
	bound := leastBytes(net, least.LowerBound, best.Budget, latency)
	low, high := bound-1, best.Budget // a plan is known for high, and none for low
	budget, found := max(bound, least.Bytes), false
	for high-low > max(high/2000, network.Alignment) && ctx.Err() == nil {
		plan, err := Solve(ctx, net, budget, opt)
		switch {
		case err != nil && ctx.Err() == nil:
			return nil, 0, err
		case err == nil && plan.Latency <= latency:
			best, high, found = plan, min(plan.Peak, budget), true
			low = min(low, high-1)
		default:
			low = budget
		}
		if budget = low + (high-low)/2; !found {
			budget = min(low+max(low/upward, network.Alignment), budget)
		}
		budget = max(budget, least.Bytes)
	}
	opt.leastMemory = false
	if plan, err := Solve(ctx, net, best.Peak, opt); err == nil && plan.Latency <= latency && plan.Read < best.Read {
		best = plan
	}
	best.Interrupted = best.Interrupted || ctx.Err() != nil
	return best, bound, nil
}

// PeakBound returns a lower bound of the memory in bytes of any plan of a network that is as fast as a plan.
func PeakBound(net *network.Network, plan *Plan) int64 {
	live, weights := net.Live(), net.Weights()
	var low int64
	for i := range live {
		low = max(low, live[i]+weights[i])
	}
	low = max(low-network.Alignment+1, 0) // the highest tensor may end anywhere
	if len(net.Layers) > bound.Most {
		return low
	}
	return leastBytes(net, low, plan.Peak, plan.Latency)
}

// leastBytes returns the smallest budget in [low, high] whose lower bound is within the latency.
func leastBytes(net *network.Network, low, high int64, latency time.Duration) int64 {
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
