package exact

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// The difficulty of a packing predicts little about a slightly smaller one, and the times have heavy
// tails: many short probes with different orders beat one long one. So the probes come in rounds with
// increasing node limits.
const (
	firstProbeNodes = 1000
	// Each round has probeGrowth sixteenths more nodes per probe than the previous one.
	probeGrowth = 1
	// boundTries is the number of probes per capacity, times the number of the round.
	boundTries = 4
	// disjunctiveNode is the number of probe nodes that take as long as one node of package disjunctive.
	disjunctiveNode = 10
	// probeNoise perturbs the orders from the second round on.
	probeNoise = 0.1
)

// probeKeys are the orders used in turn: MiniMalloc's, each by time and by sections.
var probeKeys = []string{"WAT", "TAW", "TWA", "waT", "Taw", "Twa"}

// A prober lowers the total of components.
type prober struct {
	ctx        context.Context
	components []*component
	seed       uint64
	workers    int
	nodes      int64 // of one probe
	maxNodes   int64 // of all probes, 0 for no limit
	round      int
	// better is called after each round that changed the total or the bound.
	better func()
}

// run probes until the total is proven optimal or ctx ends; it returns whether the search is complete.
func (p *prober) run() bool {
	for p.nodes = firstProbeNodes; ; p.round++ {
		total, floor := p.state()
		open := false
		for _, c := range p.components {
			if c.packing == nil || c.finished || c.total <= p.floor() || c.total == c.floor.Bytes {
				continue
			}
			open = true
			p.lower(c)
			if p.ctx.Err() != nil || p.nodesLeft() < 0 {
				return false
			}
		}
		if !open {
			return true
		}
		if t, f := p.state(); p.better != nil && (t != total || f != floor) {
			p.better()
		}
		p.nodes += p.nodes * probeGrowth / 16
	}
}

// state returns the total of all components and the proven bound.
func (p *prober) state() (total, floor int64) {
	for _, c := range p.components {
		total = max(total, c.total)
	}
	return total, p.floor()
}

func (p *prober) floor() int64 {
	var floor int64
	for _, c := range p.components {
		floor = max(floor, c.floor.Bytes)
	}
	return floor
}

// lower probes one component for a round: at the bound, which is often the optimum, and then by
// bisection between the bound and the best known total. If no probe finds a plan, it continues above,
// though that proves nothing.
func (p *prober) lower(c *component) {
	if c.windows && p.round == 0 {
		c.searchAnchored(p.ctx, p.nodesLeft())
	}
	if p.done(c) {
		return
	}
	if c.windows && (p.round > 0 || len(c.records) <= disjunctive.MaxRecords) {
		nodes := p.nodesLeft()
		if nodes > 0 { // zero means no limit
			nodes = max(nodes/disjunctiveNode, 1)
		}
		c.searchDisjunctive(p.ctx, nodes)
		return
	}
	tries := boundTries * (p.round + 2)
	for left := 2 * tries; left > 0 && !p.done(c); {
		_, used := p.probes(c, p.floor(), left)
		left -= max(used, 1)
	}
	for low := p.floor(); low < c.total && !p.done(c); {
		capacity := c.usefulTotal(low + (c.total-low)/2)
		if capacity == c.total {
			capacity -= c.step
		}
		if found, _ := p.probes(c, capacity, tries); found != problem.Fits {
			low = max(capacity+c.step, p.floor())
		}
	}
}

// probes tries a capacity a number of times, each time with the next order, or until there is an
// answer. It also returns the number of tries.
func (p *prober) probes(c *component, capacity int64, tries int) (found problem.Answer, used int) {
	for used < tries && found == problem.Unknown && !p.done(c) && capacity >= p.floor() {
		batch := tries - used
		if c.probe == 0 {
			batch = 1 // most problems take one probe, and then others are wasted
		}
		// A probe without backtracking takes a node for each record.
		w := probePool{component: c, capacity: capacity, nodes: max(p.nodes, 2*int64(len(c.records)))}
		from := c.probe
		w.order = func(k int) packing.Order { return p.order(from + uint64(k)) }
		run, counted := w.run(p.ctx, batch, p.workers)
		c.probe += uint64(counted)
		used += counted
		found = c.record(capacity, run)
	}
	return found, used
}

// order returns the order of a probe, by its number.
func (p *prober) order(probe uint64) packing.Order {
	order := packing.Order{Keys: probeKeys[probe%uint64(len(probeKeys))], Seed: probe + p.seed*0x9E3779B97F4A7C15}
	if probe >= uint64(len(probeKeys)) || p.seed != 0 {
		order.Noise = probeNoise
	}
	return order
}

// done reports whether a component is finished or time is up.
func (p *prober) done(c *component) bool {
	return c.finished || c.total <= p.floor() || p.ctx.Err() != nil || p.nodesLeft() < 0
}

// nodesLeft returns the remaining number of nodes, 0 for no limit, and a negative number if exceeded.
func (p *prober) nodesLeft() int64 {
	if p.maxNodes == 0 {
		return 0
	}
	if left := p.maxNodes - nodesOf(p.components); left > 0 {
		return left
	}
	return -1
}
