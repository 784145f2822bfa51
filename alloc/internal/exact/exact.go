package exact

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/units"
)

// Options limit a search; see alloc.Options.
type Options struct {
	// Nodes is the approximate limit of nodes; zero means no limit.
	Nodes int64
	// Seed selects the random numbers.
	Seed uint64
	// Workers is the number of goroutines; zero means one for each processor.
	Workers int
	// Better, when set, is called with each better total or bound, in bytes.
	Better func(total, bound, nodes int64)
}

// Improve searches for a smaller total than offsets have. A component that is too large for the search
// stays unchanged. bound is a bound of all records.
func Improve(ctx context.Context, records problem.Records, offsets []int64, bound problem.Bound, o Options) *problem.Found {
	components := componentsOf(records, offsets)
	ended := false
	for _, c := range components {
		if c.total <= bound.Bytes {
			continue
		}
		if ended = ctx.Err() != nil; ended {
			break
		}
		c.prepare()
	}
	work := &prober{ctx: ctx, components: components, seed: o.Seed, workers: o.workers(), maxNodes: o.Nodes}
	work.better = func() {
		if o.Better != nil {
			total, floor := work.state()
			o.Better(total, floor, nodesOf(components))
		}
	}
	complete := work.run()
	result := assemble(components, offsets)
	result.Interrupted = ended || !complete
	certify(result, components, bound)
	return result
}

func nodesOf(components []*component) (nodes int64) {
	for _, c := range components {
		nodes += c.nodes
	}
	return nodes
}

// assemble combines the components' offsets.
func assemble(components []*component, offsets []int64) *problem.Found {
	result := &problem.Found{Offsets: slices.Clone(offsets), Nodes: nodesOf(components)}
	for _, c := range components {
		for k, i := range c.rows {
			result.Offsets[i] = c.offsets[k]
		}
		result.LowerBound = max(result.LowerBound, c.floor.Bytes)
	}
	return result
}

// certify sets the proof if it exceeds a bound of the whole problem.
func certify(result *problem.Found, components []*component, b problem.Bound) {
	var total int64
	var hardest *component
	for _, c := range components {
		total = max(total, c.total)
		if hardest == nil || c.floor.Bytes > hardest.floor.Bytes {
			hardest = c
		}
	}
	if hardest == nil || result.LowerBound <= b.Bytes || total > result.LowerBound {
		return
	}
	result.Optimal, result.Proof = true, problem.Proof{Kind: problem.ByBound, Bound: hardest.floor}
	if hardest.exhausted {
		result.Proof = problem.Proof{Kind: problem.BySearch, Text: fmt.Sprintf("a search through all packings of less than %s found none, after %s nodes", units.ExactBytes(result.LowerBound), units.Number(result.Nodes))}
	}
}
