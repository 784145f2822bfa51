package exact

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/units"
)

// Fitted is the result of [Fit].
type Fitted struct {
	Answer problem.Answer
	// Best are the smallest offsets found, within the capacity if the answer is Fits.
	Best *problem.Found
	// Proof is the reason for Misfit.
	Proof problem.Proof

	fitter *fitter
}

// Fit decides whether records fit into an arena of capacity bytes, by the bounds of its components and,
// if these are not enough, by a search for totals smaller than that of the offsets. bound is a bound of
// all records.
func Fit(ctx context.Context, records problem.Records, offsets []int64, capacity int64, bound problem.Bound, o Options) *Fitted {
	f := &fitter{ctx: ctx, records: records, options: o, capacity: capacity, components: componentsOf(records, offsets)}
	fitted := &Fitted{Answer: f.answer(), fitter: f}
	fitted.Proof = f.proof
	fitted.Best = assemble(f.components, offsets)
	certify(fitted.Best, f.components, bound)
	return fitted
}

// Core returns the rows of a few records that do not fit even by themselves, if the answer is Misfit.
func (f *Fitted) Core() []int { return f.fitter.core() }

// A fitter searches for offsets within a capacity, component by component.
type fitter struct {
	ctx        context.Context
	records    problem.Records
	options    Options
	capacity   int64
	components []*component
	// misfit is the component that cannot fit, and proof the reason.
	misfit *component
	proof  problem.Proof
}

// answer decides the components, first those whose bound decides.
func (f *fitter) answer() problem.Answer {
	for _, c := range f.components {
		if c.floor.Bytes > f.capacity {
			f.misfit = c
			f.proof = problem.Proof{Kind: problem.ByExcess, Bound: c.floor}
			return problem.Misfit
		}
	}
	all := problem.Fits
	for _, c := range f.components {
		switch f.fitComponent(c) {
		case problem.Misfit:
			f.misfit = c
			c.floor.Bytes, c.exhausted = max(c.floor.Bytes, f.capacity+1), true
			text := fmt.Sprintf("a search through all packings, %s nodes in all, found none", units.Number(nodesOf([]*component{c})))
			f.proof = problem.Proof{Kind: problem.BySearch, Text: text}
			return problem.Misfit
		case problem.Unknown:
			all = problem.Unknown
		}
	}
	return all
}

// fitComponent searches for offsets of one component, in probes of increasing length.
func (f *fitter) fitComponent(c *component) problem.Answer {
	if c.total <= f.capacity {
		return problem.Fits
	}
	if c.prepare(); c.packing == nil {
		return problem.Unknown
	}
	if c.windows {
		return f.fitWindowed(c)
	}
	p := &prober{
		ctx: f.ctx, components: []*component{c}, nodes: firstProbeNodes, maxNodes: f.options.Nodes,
		seed: f.options.Seed, workers: f.options.workers(),
	}
	for f.ctx.Err() == nil && p.nodesLeft() >= 0 {
		switch found, _ := p.probes(c, f.capacity, 4*len(probeKeys)); found {
		case problem.Fits:
			return problem.Fits
		case problem.Misfit:
			return problem.Misfit
		}
		p.nodes += p.nodes / 4
	}
	return problem.Unknown
}

// fitWindowed is component for one with windows.
func (f *fitter) fitWindowed(c *component) problem.Answer {
	nodes := f.options.Nodes
	if newAnchoredSearch(f.ctx, c, nodes).fit(f.capacity) {
		return problem.Fits
	}
	r := disjunctive.Fit(f.ctx, c.records, f.capacity, nodes)
	c.nodes += r.Nodes
	switch r.Answer {
	case problem.Fits:
		c.adopt(r.Offsets)
		return problem.Fits
	case problem.Misfit:
		return problem.Misfit
	}
	if c.try(f.ctx, f.capacity, packing.Order{Keys: probeKeys[0]}, nodes) == problem.Fits {
		return problem.Fits
	}
	return problem.Unknown
}
