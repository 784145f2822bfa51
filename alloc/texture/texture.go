package texture

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// A Shape is the size of a texture in each dimension: width and height; width, height and depth; or
// batch, height, width and channels. All are at least 1.
type Shape []int64

// Elements returns the product of all dimensions, at most [lifetime.MaxTotal]; a shape that covers two
// large ones can exceed it.
func (s Shape) Elements() int64 {
	n := int64(1)
	for _, d := range s {
		if d > lifetime.MaxTotal/n {
			return lifetime.MaxTotal
		}
		n *= d
	}
	return n
}

// Covers reports whether a texture of shape s has room for one of shape t in every dimension.
func (s Shape) Covers(t Shape) bool {
	for i := range s {
		if s[i] < t[i] {
			return false
		}
	}
	return true
}

// grown returns the smallest shape that covers both.
func (s Shape) grown(t Shape) Shape {
	g := slices.Clone(s)
	for i := range g {
		g[i] = max(g[i], t[i])
	}
	return g
}

// A Record is a texture that is alive from position First to Last, both inclusive.
type Record struct {
	ID          string
	First, Last int
	Shape       Shape
}

// A Plan assigns a shared object to each record.
type Plan struct {
	Strategy string
	// Winner is the strategy of the plan, if Strategy tried several.
	Winner string
	// Objects has the object of each record, Shapes the shape of each object.
	Objects []int
	Shapes  []Shape
	// Total is the number of elements of all objects, and LowerBound a lower bound of all plans.
	Total, LowerBound int64
	// Optimal reports that no plan has fewer elements; Proof is the reason.
	Optimal bool
	Proof   problem.Proof
	// Nodes is the number of search nodes.
	Nodes int64
}

// ErrShape is the error for records with incompatible shapes.
var ErrShape = errors.New("the shapes contradict each other")

// ErrStrategy is [Solve]'s error for an unknown strategy.
var ErrStrategy = errors.New("no strategy for textures has that name")

// The strategies.
const (
	Naive         = "naive"           // an object for each record
	Equality      = "equality"        // only objects of exactly the same shape
	GreedyInOrder = "greedy-in-order" // the free object that covers the record with the least difference
	Growing       = "growing"         // objects grow if that is cheaper than a new one
	Exact         = "exact"           // a search, complete for small problems
	Auto          = "auto"            // the best of all others
)

// A strategy is a named way to plan.
type strategy struct {
	name  string
	solve func(context.Context, []Record) *Plan
}

// strategies are all strategies in the order of reports.
var strategies = []strategy{
	{Naive, quick(naive)},
	{Equality, quick(equality)},
	{GreedyInOrder, quick(inOrder)},
	{Growing, quick(growing)},
	{Exact, exact},
	{Auto, auto},
}

// quick adapts a solver that needs no context.
func quick(solve func([]Record) *Plan) func(context.Context, []Record) *Plan {
	return func(_ context.Context, r []Record) *Plan { return solve(r) }
}

// Strategies returns the names of all strategies in the order of reports.
func Strategies() (names []string) {
	for _, s := range strategies {
		names = append(names, s.name)
	}
	return names
}

// check returns an error for invalid records.
func check(records []Record) error {
	var sum int64
	for i, r := range records {
		if len(r.Shape) < 2 || len(r.Shape) > 4 || len(r.Shape) != len(records[0].Shape) {
			return fmt.Errorf("%w: record %d (%s) has %d dimensions, the first one %d; there are 2 to 4", ErrShape, i, r.ID, len(r.Shape), len(records[0].Shape))
		}
		if r.First > r.Last {
			return fmt.Errorf("%w: record %d (%s) is alive from %d to %d", ErrShape, i, r.ID, r.First, r.Last)
		}
		n := int64(1)
		for _, d := range r.Shape {
			if d < 1 || d > lifetime.MaxTotal/n {
				return fmt.Errorf("%w: record %d (%s) has a dimension of %d", ErrShape, i, r.ID, d)
			}
			n *= d
		}
		if sum += n; sum > lifetime.MaxTotal>>10 {
			return fmt.Errorf("%w: all records have more than %d elements", ErrShape, lifetime.MaxTotal>>10)
		}
	}
	return nil
}

// Solve plans records with the strategy of a name; empty means [Auto]. Errors unwrap to [ErrShape] or
// [ErrStrategy]. When ctx ends, exact and auto return the best plan so far.
func Solve(ctx context.Context, records []Record, name string) (*Plan, error) {
	if err := check(records); err != nil {
		return nil, err
	}
	name = cmp.Or(name, Auto)
	k := slices.IndexFunc(strategies, func(s strategy) bool { return s.name == name })
	if k < 0 {
		return nil, fmt.Errorf("%w: %q", ErrStrategy, name)
	}
	plan := strategies[k].solve(ctx, records)
	plan.Strategy, plan.Winner = name, cmp.Or(plan.Winner, name)
	plan.applyBound(records)
	if err := plan.check(records); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", plan.Winner, err)
	}
	return plan, nil
}

// applyBound fills in the total, the bound, and a proof if they are equal.
func (p *Plan) applyBound(records []Record) {
	p.Total = 0
	for _, s := range p.Shapes {
		p.Total += s.Elements()
	}
	bound := lifetime.SharedBound(flat(records))
	p.LowerBound = max(p.LowerBound, bound)
	if p.Total == bound && !p.Optimal {
		p.Optimal, p.Proof = true, problem.Proof{Kind: problem.ByBound, Bound: problem.Bound{Reason: "the sum of the positional maxima of the elements"}}
	}
}

// flat returns the records with their elements as sizes: an object has at least as many elements as its
// largest record.
func flat(records []Record) []lifetime.Record {
	list := make([]lifetime.Record, len(records))
	for i, r := range records {
		list[i] = lifetime.Record{ID: r.ID, First: r.First, Last: r.Last, Size: r.Shape.Elements()}
	}
	return list
}

// check validates a plan, whichever strategy made it.
func (p *Plan) check(records []Record) error {
	if len(p.Objects) != len(records) {
		return fmt.Errorf("%d objects for %d records", len(p.Objects), len(records))
	}
	last := make([]int, len(p.Shapes)) // the last record of each object, plus 1
	order := byFirst(records)
	for _, i := range order {
		o := p.Objects[i]
		if o < 0 || o >= len(p.Shapes) || !p.Shapes[o].Covers(records[i].Shape) {
			return fmt.Errorf("record %d does not fit into object %d", i, o)
		}
		if k := last[o] - 1; k >= 0 && records[k].Last >= records[i].First {
			return fmt.Errorf("records %d and %d are in object %d at the same time", k, i, o)
		}
		last[o] = i + 1
	}
	return nil
}

// byFirst returns the records by first position.
func byFirst(records []Record) []int {
	order := make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(records[a].First, records[b].First) })
	return order
}
