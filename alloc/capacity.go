package alloc

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/lifetime"
)

// An Answer says whether records fit into an arena of a given size.
type Answer string

const (
	// Fits: there is a plan.
	Fits Answer = "fits"
	// Misfit: there is none, and that is proven.
	Misfit Answer = "does not fit"
	// Unknown: the search ended before it knew.
	Unknown Answer = "unknown"
)

// A Verdict is what [Fit] found out.
type Verdict struct {
	Answer Answer
	// Plan is a plan within the capacity when the answer is Fits, and otherwise the
	// smallest one found, which is larger.
	Plan *Plan
	// Core are the indices of records that cannot fit even by themselves when the answer
	// is Misfit, ascending: few, though there may be fewer.
	Core []int
	// Proof says why the answer is Misfit.
	Proof string
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Fit decides whether records fit into an arena of so many bytes: by the strategies, by
// the lower bounds, and else by a search that ends when it knows, ctx does, or the nodes of
// [Options.SearchNodes] are spent. Errors are
// those of [Solve] with approach [Offsets]; when ctx ends later than the first plan is
// made, the answer is Unknown.
func Fit(ctx context.Context, records []lifetime.Record, capacity int64, opt Options) (*Verdict, error) {
	opt.Approach = Offsets
	if err := checkInput(records, Offsets); err != nil {
		return nil, err
	}
	start := time.Now()
	p := newTask(records, opt)
	best, err := p.portfolio(ctx)
	if err != nil {
		return nil, err
	}
	f := &fitter{ctx: ctx, task: p, capacity: capacity, components: componentsOf(p.records, best.Offsets)}
	verdict := &Verdict{Answer: f.answer(), Proof: f.proof, Nodes: nodesOf(f.components)}
	verdict.Plan = f.plan(best)
	verdict.Plan.Elapsed = time.Since(start)
	restoreEmpty(verdict.Plan, records)
	if err := verdict.Plan.check(records); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", verdict.Plan.Winner, err)
	}
	if verdict.Answer == Misfit && !opt.Quick {
		verdict.Core = originalRows(records, f.core())
	}
	return verdict, nil
}

// A fitter looks for offsets within a capacity, component by component.
type fitter struct {
	ctx        context.Context
	task       *task
	capacity   int64
	components []*component
	// misfit is the component that cannot fit, and proof why.
	misfit *component
	proof  string
}

// answer goes through the components, first those whose bound decides.
func (f *fitter) answer() Answer {
	for _, c := range f.components {
		if c.floor.Bytes > f.capacity {
			f.misfit = c
			f.proof = fmt.Sprintf("%s is %s bytes", c.floor.Reason, comma(c.floor.Bytes))
			return Misfit
		}
	}
	answer := Fits
	for _, c := range f.components {
		switch f.component(c) {
		case Misfit:
			f.misfit = c
			c.floor.Bytes, c.exhausted = max(c.floor.Bytes, f.capacity+1), true
			f.proof = fmt.Sprintf("a search through all packings, %s nodes in all, found none", comma(nodesOf([]*component{c})))
			return Misfit
		case Unknown:
			answer = Unknown
		}
	}
	return answer
}

// component looks for offsets of one component, in probes of ever more nodes.
func (f *fitter) component(c *component) Answer {
	if c.total <= f.capacity {
		return Fits
	}
	if c.prepare(); c.form == nil {
		return Unknown
	}
	if c.windows {
		return f.windowed(c)
	}
	p := &prober{
		ctx: f.ctx, components: []*component{c}, nodes: firstProbeNodes, most: f.task.opt.SearchNodes,
		seed: f.task.opt.Seed, workers: f.task.opt.workers(),
	}
	for f.ctx.Err() == nil && p.left() >= 0 {
		switch answer, _ := p.probes(c, f.capacity, 4*len(probeKeys)); answer {
		case packing.Fits:
			return Fits
		case packing.Misfit:
			return Misfit
		}
		p.nodes += p.nodes / 4
	}
	return Unknown
}

// windowed is component for one with windows.
func (f *fitter) windowed(c *component) Answer {
	nodes := f.task.opt.SearchNodes
	if newAnchorer(f.ctx, c, nodes).fit(f.capacity) {
		return Fits
	}
	r := disjunctive.Fit(f.ctx, c.records, f.capacity, nodes)
	c.nodes += r.Nodes
	switch r.Verdict {
	case disjunctive.Yes:
		c.adopt(r.Offsets)
		return Fits
	case disjunctive.No:
		return Misfit
	}
	if c.try(f.ctx, f.capacity, packing.Order{Keys: probeKeys[0]}, nodes) == packing.Fits {
		return Fits
	}
	return Unknown
}

// plan returns the plan of the components' offsets.
func (f *fitter) plan(best *Plan) *Plan {
	plan := assemble(f.components, best.Offsets)
	plan.Approach, plan.Strategy = Offsets, cmp.Or(f.task.opt.Strategy, Auto)
	plan.Winner, plan.Tried = best.Winner, best.Tried
	plan.Total = plan.need(f.task.records)
	if plan.Total < best.Total {
		plan.Winner = Exact
	}
	plan.judge(f.task.bound)
	certify(plan, f.components, f.task.bound)
	return plan
}

// comma writes a number with separators.
func comma(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
