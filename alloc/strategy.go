package alloc

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/shared"
)

// A Strategy is one algorithm for one approach.
type Strategy struct {
	// Name is the name in [Options] and on the command line.
	Name     string
	Approach Approach
	// Summary is a one-line description, Source the publication.
	Summary, Source string
	// Complexity is the time for n records, of which at most k are alive together with any one; k is n
	// at worst. A search has a limit of its work instead.
	Complexity string
	// MaxRecords is the largest number of records accepted, not counting empty ones; 0 means any
	// number.
	MaxRecords int

	solve solver
}

// Searches reports whether the strategy searches, and so takes far longer than most others.
func (s Strategy) Searches() bool { return slices.Contains(searchStrategies, s.Name) || s.Name == Auto }

// A solver fills in the placements of a new plan; [Solve] does the rest. It gets no empty records, and
// no pinned records for approach Shared. When ctx ends, it returns ctx.Err().
type solver func(ctx context.Context, p *task) (*Plan, error)

// offsets is the solver of a strategy for offsets.
func offsets(place func(context.Context, Records) ([]int64, error)) solver {
	return func(ctx context.Context, p *task) (*Plan, error) {
		offsets, err := place(ctx, p.records)
		if err != nil {
			return nil, err
		}
		return &Plan{Offsets: offsets}, nil
	}
}

// search is the solver of a strategy for offsets that stops at a bound.
func search(place func(ctx context.Context, records Records, bound int64) (*problem.Placement, error)) solver {
	return func(ctx context.Context, p *task) (*Plan, error) {
		placed, err := place(ctx, p.records, p.bound.Bytes)
		if err != nil {
			return nil, err
		}
		return &Plan{Offsets: placed.Offsets, Interrupted: placed.Interrupted}, nil
	}
}

// objects is the solver of a strategy for shared objects.
func objects(assign func(context.Context, Records) (*shared.Objects, error)) solver {
	return func(ctx context.Context, p *task) (*Plan, error) {
		o, err := assign(ctx, p.records)
		if err != nil {
			return nil, err
		}
		return &Plan{Objects: o.Of, ObjectSizes: o.Sizes}, nil
	}
}
