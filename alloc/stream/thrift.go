package stream

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// thrifty returns a plan as fast as f that reads fewer bytes per run, or as many in less memory, if it finds one: both
// cost energy, even if they cost no time.
func (t *task) thrifty(ctx context.Context, f *found) (*found, error) {
	latency := t.plan(f).Latency
	resident := wholeLayers(t.net, f.place)
	e := residency.NewEvaluator(t.problem)
	if !t.opt.leastMemory && e.Latency(resident, t.capacity()) <= latency { // otherwise parts of layers are resident
		for more := e.Saving(ctx, resident, t.capacity(), latency, DefaultNodes(t.net)); len(more) > 0; more = more[:len(more)/2] {
			kept := with(resident, more)
			g, err := t.within(ctx, e, kept, latency, fit)
			if err != nil {
				return nil, err
			}
			if g != nil {
				f, resident = t.better(f, g), kept
			}
			if g != nil || ctx.Err() != nil {
				break
			}
		}
	}
	g, err := t.within(ctx, e, resident, latency, leastOffsets)
	return t.better(f, g), err
}

// within returns a plan with some resident layers whose loads begin as late as a latency permits, or nil.
func (t *task) within(ctx context.Context, e *residency.Evaluator, resident []bool, latency time.Duration, find offsetter) (*found, error) {
	if e.Latency(resident, t.capacity()) > latency {
		return nil, nil
	}
	p, err := t.place(ctx, resident, e.Late(resident, latency), find, t.placeNodes())
	if err != nil || p == nil {
		return nil, err
	}
	return &found{place: p, winner: Best}, nil
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
