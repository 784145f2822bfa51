package exact

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// How hard a packing is to find says little about how hard one a little smaller is, and
// the times have heavy tails: many short probes with different orders beat one long one.
// So the probes come in rounds, each allowed more nodes than the last.
const (
	firstProbeNodes = 1000
	// A round has probeGrowth sixteenths more nodes a probe than the one before.
	probeGrowth = 1
	// boundTries is how many probes a round has at each capacity, times its number.
	boundTries = 4
	// disjoinedNode is how many nodes of a probe take as long as one of the search that
	// knows windows.
	disjoinedNode = 10
	// probeNoise blurs the orders from the second round on.
	probeNoise = 0.1
)

// probeKeys are the orders that take turns: MiniMalloc's, each by time and by sections.
var probeKeys = []string{"WAT", "TAW", "TWA", "waT", "Taw", "Twa"}

// A prober lowers the total of components.
type prober struct {
	ctx        context.Context
	components []*component
	seed       uint64
	workers    int
	nodes      int64 // of one probe
	most       int64 // of all probes, 0 for any number
	round      int
	// better is called after each round that changed the total or the bound.
	better func()
}

// run probes until the total is proven the smallest or ctx ends; it returns whether
// there was nothing left to do.
func (p *prober) run() bool {
	for p.nodes = firstProbeNodes; ; p.round++ {
		total, floor := p.state()
		open := false
		for _, c := range p.components {
			if c.form == nil || c.closed || c.total <= p.floor() || c.total == c.floor.Bytes {
				continue
			}
			open = true
			p.lower(c)
			if p.ctx.Err() != nil || p.left() < 0 {
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

// lower probes one component for a round: at the bound, since that is so often the
// optimum, and then by bisection between the bound and the best total known. Where no
// probe finds anything it goes on above, though that proves nothing.
func (p *prober) lower(c *component) {
	if c.windows && p.round == 0 {
		c.anchored(p.ctx, p.left())
	}
	if p.done(c) {
		return
	}
	if c.windows && (p.round > 0 || len(c.records) <= disjunctive.MaxRecords) {
		nodes := p.left()
		if nodes > 0 { // zero is for any number
			nodes = max(nodes/disjoinedNode, 1)
		}
		c.disjoin(p.ctx, nodes)
		return
	}
	tries := boundTries * (p.round + 2)
	for left := 2 * tries; left > 0 && !p.done(c); {
		_, used := p.probes(c, p.floor(), left)
		left -= max(used, 1)
	}
	for low := p.floor(); low < c.total && !p.done(c); {
		capacity := c.aim(low + (c.total-low)/2)
		if capacity == c.total {
			capacity -= c.step
		}
		if found, _ := p.probes(c, capacity, tries); found != problem.Fits {
			low = max(capacity+c.step, p.floor())
		}
	}
}

// probes tries a capacity a number of times, each time with the next order, or until the
// answer is known. It returns also how many tries that took.
func (p *prober) probes(c *component, capacity int64, tries int) (found problem.Answer, used int) {
	for used < tries && found == problem.Unknown && !p.done(c) && capacity >= p.floor() {
		batch := tries - used
		if c.probe == 0 {
			batch = 1 // most problems need no more than one probe, and then others are wasted
		}
		// A probe that does not go astray needs a node for each record.
		w := crew{component: c, capacity: capacity, nodes: max(p.nodes, 2*int64(len(c.records)))}
		from := c.probe
		w.order = func(k int) packing.Order { return p.order(from + uint64(k)) }
		run, counted := w.run(p.ctx, batch, p.workers)
		c.probe += uint64(counted)
		used += counted
		found = c.take(capacity, run)
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

// done reports whether there is no more to be done for a component, or no time.
func (p *prober) done(c *component) bool {
	return c.closed || c.total <= p.floor() || p.ctx.Err() != nil || p.left() < 0
}

// left returns how many nodes may be visited yet, 0 for any number, and fewer when there
// are none.
func (p *prober) left() int64 {
	if p.most == 0 {
		return 0
	}
	if left := p.most - nodesOf(p.components); left > 0 {
		return left
	}
	return -1
}
