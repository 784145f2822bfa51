package stream

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// thrifty returns a plan no slower than f that reads fewer bytes per run, or as many in less memory, if it finds one: both
// cost energy, even if they cost no time.
func (t *task) thrifty(ctx context.Context, f *found) (*found, error) {
	latency := t.plan(f).Latency
	resident := layersOf(t.net, f.place, false)
	e := residency.NewEvaluator(t.problem)
	fast := func() bool { return e.Latency(resident, t.capacity()) <= latency }
	if !t.opt.leastMemory && !fast() { // parts of layers are resident
		resident = layersOf(t.net, f.place, true)
	}
	if !t.opt.leastMemory && fast() {
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

// layersOf returns which layers have resident weights: all of their weights, or with some, a part of them.
func layersOf(net *network.Network, p *network.Placement, some bool) []bool {
	kept, read := make([]int64, len(net.Layers)), make([]int64, len(net.Layers))
	for i, x := range net.Tensors {
		switch {
		case x.Kind != network.Weight:
		case p.Resident[i]:
			kept[x.First] += x.Size
		default:
			read[x.First] += x.Size
		}
	}
	resident := make([]bool, len(net.Layers))
	for i := range resident {
		resident[i] = kept[i] > 0 && (some || read[i] == 0)
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
