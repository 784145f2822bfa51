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
	resident := layersOf(t.net, f.place, false)
	e := residency.NewEvaluator(t.problem)
	if e.Latency(resident, t.capacity()) > latency { // parts of layers are resident
		resident = layersOf(t.net, f.place, true)
	}
	if !t.opt.leastMemory && e.Latency(resident, t.capacity()) <= latency {
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

// layersOf returns the layers all of whose weights are resident, or also those with some. Weights of no bytes are.
func layersOf(net *network.Network, p *network.Placement, some bool) []bool {
	resident, missing := make([]bool, len(net.Layers)), make([]bool, len(net.Layers))
	for i, x := range net.Tensors {
		if x.Kind == network.Weight {
			here := p.Resident[i] || x.Size == 0
			resident[x.First], missing[x.First] = resident[x.First] || here, missing[x.First] || !here
		}
	}
	for i := range resident {
		resident[i] = resident[i] && (some || !missing[i])
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
