package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Picture returns a picture of a run: memory over time, the loader, the processor and its stalls.
func (r *Stream) Picture() *drawing.Page {
	p := picture.Run{
		Title: r.Input + ": prefetched weights", Total: r.PeakBytes, End: r.LatencyMS,
		Summary: fmt.Sprintf("a run of %s by %s in %s, of which the processor waits %s; no plan takes less than %s",
			inMS(r.LatencyMS), r.Winner, units.Bytes(r.PeakBytes), inMS(r.StallMS), inMS(r.LowerBoundMS)),
	}
	if r.BudgetBytes/2 < r.PeakBytes { // a line far above everything would leave no space for the plan
		p.Capacity = r.BudgetBytes
	}
	for i, t := range r.net.Tensors {
		if t.Size > 0 {
			p.Held = append(p.Held, r.held(i, t))
		}
	}
	before := 0.0
	for _, l := range r.Layers {
		name := fmt.Sprintf("layer %d", l.Layer)
		if l.LoadEndMS > l.LoadBeginMS {
			p.Loads = append(p.Loads, picture.Task{Text: "load of " + name, From: l.LoadBeginMS, To: l.LoadEndMS})
		}
		if l.ComputeBeginMS > before {
			p.Stalls = append(p.Stalls, picture.Task{Text: name + " waits for its weights", From: before, To: l.ComputeBeginMS})
		}
		if l.ComputeEndMS > l.ComputeBeginMS {
			p.Computes = append(p.Computes, picture.Task{Text: name, From: l.ComputeBeginMS, To: l.ComputeEndMS})
		}
		before = l.ComputeEndMS
	}
	return p.Page()
}

// held returns the time of a tensor's held bytes.
func (r *Stream) held(i int, t network.Tensor) picture.Held {
	p := r.Placements[i]
	h := picture.Held{
		Text: fmt.Sprintf("%s of layer %d", p.Type, t.First), Role: p.role(),
		Area: memorymap.Area{
			From: r.Layers[max(t.First-1, 0)].ComputeEndMS, To: r.Layers[t.Last].ComputeEndMS, Lo: p.OffsetBytes, Hi: p.OffsetBytes + p.SizeBytes,
		},
	}
	switch h.Role {
	case lifetime.RoleResident:
		h.From, h.To = 0, r.LatencyMS
		h.Text += ", resident"
	case lifetime.RoleWeight:
		h.From, h.Loaded = r.Layers[t.First].LoadBeginMS, r.Layers[t.First].LoadEndMS
	}
	return h
}

// Picture returns a picture of the curve: the plans found, the plans of the published method, and the
// bound.
func (r *StreamSweep) Picture() *drawing.Page {
	fastest := r.Points[len(r.Points)-1].LatencyMS
	c := picture.Curves{
		Title:  r.Input + ": what memory costs in time",
		Across: fmt.Sprintf("latency above %s, the time with the most memory", inMS(fastest)), Up: "budget",
		Limit: r.KneeBytes, LimitText: "the knee, " + units.Bytes(r.KneeBytes),
	}
	for _, line := range []struct {
		name    string
		latency func(StreamPoint) float64
	}{
		{"found", func(p StreamPoint) float64 { return p.LatencyMS }},
		{"flexnn", func(p StreamPoint) float64 { return p.FlexNNLatencyMS }},
		{"lower bound", func(p StreamPoint) float64 { return p.LowerBoundMS }},
	} {
		curve := picture.Curve{Name: line.name}
		for i := len(r.Points) - 1; i >= 0; i-- {
			p := r.Points[i]
			if ms := line.latency(p); ms > 0 && fastest > 0 {
				curve.Points = append(curve.Points, picture.CurvePoint{
					Percent: max(0, 100*(ms/fastest-1)), Bytes: p.BudgetBytes, Text: fmt.Sprintf("%s\n%s in %s", line.name, inMS(ms), units.Bytes(p.BudgetBytes)),
				})
			}
		}
		c.Lines = append(c.Lines, curve)
	}
	return c.Page()
}
