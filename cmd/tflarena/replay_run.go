package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/results"
)

// A replayed is a trace with its plans.
type replayed struct {
	title   string
	trace   *loadedTrace
	devices []replayedDevice
	result  *results.Replay
}

type replayedDevice struct {
	*replay.Profile
	plan *replay.Plan
}

// replayed plans the devices of a trace.
func (p *program) replayed(c *cli.Context, t *loadedTrace, o replayOptions) (*replayed, error) {
	if err := t.choose(o); err != nil {
		return nil, err
	}
	granule := cmp.Or(o.granule, t.Granule)
	r := &replayed{title: t.title, trace: t, result: &results.Replay{
		Input: t.title, Form: t.Form, Granule: granule, Devices: []results.ReplayDevice{}, Notes: []results.Note{}, Warnings: results.Notes(results.WarnTrace, t.Notes),
	}}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	for _, d := range t.Devices {
		profile, err := t.Profile(d, granule)
		if err != nil {
			return nil, named(t.title, err)
		}
		device, err := p.replayDevice(ctx, c, t, profile, o)
		if err != nil {
			return nil, named(t.title, err)
		}
		r.devices = append(r.devices, *device.replayedDevice)
		r.result.Devices = append(r.result.Devices, device.result)
		r.result.Warnings = append(r.result.Warnings, device.notes...)
		if profile.Unseen > 0 {
			r.result.Warnings = append(r.result.Warnings, results.Note{Kind: results.WarnTrace, Text: fmt.Sprintf(
				"device %d: %d blocks were still in use when another block took their place: the trace lacks their releases, and they count as released there", d.Index, profile.Unseen)})
		}
	}
	p.warn(t.title, r.result.Warnings)
	if len(r.devices) > 0 && r.interrupted() {
		p.noteTime(t.title, true)
	}
	return r, nil
}

func (r *replayed) interrupted() bool {
	for i := range r.result.Devices {
		if r.result.Devices[i].Interrupted {
			return true
		}
	}
	return false
}

type deviceResult struct {
	*replayedDevice
	result results.ReplayDevice
	notes  []results.Note
}

// replayDevice plans one device.
func (p *program) replayDevice(ctx context.Context, c *cli.Context, t *loadedTrace, profile *replay.Profile, o replayOptions) (*deviceResult, error) {
	opt := replay.Options{Together: o.together, Solve: alloc.Options{SearchTime: p.limit.search()}}
	stop := p.showProgress(&opt.Solve)
	defer stop()
	start := time.Now()
	others := make(chan otherAllocators, 1)
	go func() { others <- simulated(ctx, profile) }()
	plan, err := profile.Plan(ctx, opt)
	if err != nil {
		return nil, p.solveError(nil, err)
	}
	figures := profile.Figures()
	d := &deviceResult{replayedDevice: &replayedDevice{profile, plan}, result: results.NewReplayDevice(profile, &figures, plan)}
	d.result.ElapsedNS = time.Since(start).Nanoseconds()
	d.result.Add(profile.Holders(t.Trace, figures.PeakEvent))
	it, err := profile.Iterations(ctx, opt)
	if err != nil {
		return nil, p.solveError(nil, err)
	}
	if o.iterations && it != nil {
		d.result.Iterations = results.NewReplayCycles(it)
	}
	s := <-others
	if it != nil {
		found, err := profileGuided(ctx, profile, it)
		s.add(profile, found, err)
	}
	d.result.Simulated, d.notes = append(d.result.Simulated, s.list...), s.notes
	d.result.Interrupted = d.result.Interrupted || s.cut || it != nil && it.Interrupted()
	return d, s.err
}

// profileGuided simulates an allocator that plans an iteration and serves the requests of the next one
// by their order.
func profileGuided(ctx context.Context, profile *replay.Profile, it *replay.Iterations) (results.Simulated, error) {
	a := replay.NewAllocator(pool.NewCaching(false, 0), profile.Granule, alloc.Options{Quick: true, SearchTime: time.Second / 10})
	err := profile.Serve(ctx, a, it.Ends())
	s := a.Stats()
	return results.Simulated{Allocator: results.ProfileGuided, ReservedBytes: s.Reserved, Plans: &s.Plans}, err
}
