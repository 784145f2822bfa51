package stream

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// thrifty returns a plan that is as fast as another one, reads as few bytes in a run as it finds, and then takes as little
// memory: both cost energy, even if they cost no time.
func (t *task) thrifty(ctx context.Context, f *found) (*found, error) {
	latency := t.plan(f).Latency
	resident := wholeLayers(t.net, f.place)
	e := residency.NewEvaluator(t.problem)
	if e.Latency(resident, t.capacity()) > latency { // parts of layers are resident
		return f, nil
	}
	var more []int
	if !t.opt.leastMemory {
		more = e.Saving(ctx, resident, t.capacity(), latency, DefaultNodes(t.net))
	}
	for len(more) > 0 {
		g, err := t.within(ctx, e, with(resident, more), latency)
		if err != nil {
			return nil, err
		}
		if g != nil {
			f, resident = t.thriftier(f, g), with(resident, more)
			break
		}
		if ctx.Err() != nil {
			return f, nil
		}
		more = more[:len(more)/2]
	}
	if e.Latency(resident, t.capacity()) > latency {
		return f, nil
	}
	p, err := t.placeLeast(ctx, resident, e.Late(resident, latency))
	if err != nil || p == nil {
		return f, err
	}
	if g := (&found{place: p}); t.plan(g).Latency <= latency {
		f = t.thriftier(f, g)
	}
	return f, nil
}

// thriftier returns the one of two plans that reads fewer bytes and then takes less memory, as a plan of [Best]; f if
// neither does.
func (t *task) thriftier(f, g *found) *found {
	a, b := f.place, g.place
	if b.Read(t.net) > a.Read(t.net) || b.Read(t.net) == a.Read(t.net) && b.Peak(t.net) >= a.Peak(t.net) {
		return f
	}
	return &found{place: b, winner: Best, nodes: f.nodes, interrupted: f.interrupted}
}

// within returns a plan with some resident layers that is no slower than a latency, or nil.
func (t *task) within(ctx context.Context, e *residency.Evaluator, resident []bool, latency time.Duration) (*found, error) {
	if e.Latency(resident, t.capacity()) > latency {
		return nil, nil
	}
	nodes := int64(placeNodes)
	if t.opt.Quick || ctx.Err() != nil {
		ctx, nodes = context.WithoutCancel(ctx), 0
	}
	p, err := t.place(ctx, resident, e.Late(resident, latency), nodes)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if p == nil {
		return nil, nil
	}
	f := &found{place: p}
	if t.plan(f).Latency > latency {
		return nil, nil
	}
	return f, nil
}

// placeLeast is [task.place] with the smallest end of the other tensors that it finds. It returns nil if ctx ends before
// it finds any, or if they do not fit.
func (t *task) placeLeast(ctx context.Context, resident []bool, first []int) (*network.Placement, error) {
	p, records, index, top := t.split(resident, first)
	if top < 0 {
		return nil, nil
	}
	names := []string{alloc.Exact}
	if t.opt.Quick || ctx.Err() != nil {
		names, ctx = quick, context.WithoutCancel(ctx)
	}
	var least *alloc.Plan
	for _, name := range names {
		plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets, Strategy: name, SearchNodes: placeNodes, Workers: 1})
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if err == nil && (least == nil || plan.Total < least.Total) {
			least = plan
		}
	}
	if least == nil || least.Total > top {
		return nil, nil
	}
	t.put(p, index, least.Offsets)
	return p, nil
}

// wholeLayers returns the layers all of whose weights are resident.
func wholeLayers(net *network.Network, p *network.Placement) []bool {
	resident := make([]bool, len(net.Layers))
	for i, x := range net.Tensors {
		resident[x.First] = resident[x.First] || x.Kind == network.Weight && x.Size > 0 && p.Resident[i]
	}
	for i, x := range net.Tensors {
		if x.Kind == network.Weight && x.Size > 0 && !p.Resident[i] {
			resident[x.First] = false
		}
	}
	return resident
}

// with returns resident layers and some more.
func with(resident []bool, more []int) []bool {
	all := slices.Clone(resident)
	for _, i := range more {
		all[i] = true
	}
	return all
}
