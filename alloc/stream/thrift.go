package stream

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// thrifty returns a plan that is as fast as another one, reads as few bytes in a run as it finds, and then takes as little
// memory. Memory and reads cost energy, even if they cost no time.
func (t *task) thrifty(ctx context.Context, f *found) (*found, error) {
	latency := t.plan(f).Latency
	resident := wholeLayers(t.net, f.place)
	e := residency.NewEvaluator(t.problem)
	if e.Latency(resident, t.capacity()) <= latency {
		more := e.Saving(resident, t.capacity(), latency)
		for n := len(more); n > 0; n /= 2 {
			g, err := t.within(ctx, e, with(resident, more[:n]), latency, t.budget)
			if err != nil {
				return nil, err
			}
			if g != nil {
				f, resident = t.inPlaceOf(f, g), with(resident, more[:n])
				break
			}
		}
	}
	held, high := t.held(resident), f.place.Peak(t.net)
	low := held - network.Alignment - 1 // the highest tensor may end within the last unit
	for budget := held; high-low > max(high/10_000, network.Alignment) && ctx.Err() == nil; budget = low + (high-low)/2 {
		g, err := t.within(ctx, e, resident, latency, budget)
		if err != nil {
			return nil, err
		}
		if g == nil {
			low = budget
			continue
		}
		f, high = t.inPlaceOf(f, g), min(g.place.Peak(t.net), budget)
	}
	return f, nil
}

// inPlaceOf returns g with what is known of f.
func (t *task) inPlaceOf(f, g *found) *found {
	made := *f
	made.place = g.place
	return &made
}

// within returns a plan with some resident layers in a budget that is no slower than a latency, or nil.
func (t *task) within(ctx context.Context, e *residency.Evaluator, resident []bool, latency time.Duration, budget int64) (*found, error) {
	u := *t
	u.budget = budget
	if e.Latency(resident, u.capacity()) > latency {
		return nil, nil
	}
	nodes := int64(placeNodes)
	if t.opt.Quick || ctx.Err() != nil {
		ctx, nodes = context.WithoutCancel(ctx), 0
	}
	p, err := u.place(ctx, resident, e.Late(resident, latency), nodes)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if p == nil {
		return nil, nil
	}
	f := &found{place: p}
	if u.plan(f).Latency > latency {
		return nil, nil
	}
	return f, nil
}

// held returns the bytes that any plan with some resident layers takes, in whole units: these, and the largest step.
func (t *task) held(resident []bool) (bytes int64) {
	var all, most int64
	for i, live := range t.problem.Live {
		if resident[i] {
			all += t.problem.Weights[i]
		} else {
			live += t.problem.Weights[i]
		}
		most = max(most, live)
	}
	return all + most
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
