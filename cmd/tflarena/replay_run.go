package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/results"
)

// A replayed trace is one with its plans.
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
	for _, d := range t.Devices {
		profile, err := t.Profile(d, granule)
		if err != nil {
			return nil, named(t.title, err)
		}
		device, err := p.replayDevice(c, t, profile, o)
		if err != nil {
			return nil, named(t.title, err)
		}
		r.devices = append(r.devices, *device.replayedDevice)
		r.result.Devices = append(r.result.Devices, device.result)
		if profile.Unseen > 0 {
			r.result.Warnings = append(r.result.Warnings, results.Note{Kind: results.WarnTrace, Text: fmt.Sprintf(
				"device %d: %d blocks lie where another one was in use: the trace lacks a release, and they are taken to end there", d.Index, profile.Unseen)})
		}
	}
	p.warn(c, t.title, r.result.Warnings)
	if len(r.devices) > 0 && r.interrupted() {
		p.noteTime(c, t.title, &alloc.Plan{Interrupted: true})
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
}

// replayDevice plans one device.
func (p *program) replayDevice(c *cli.Context, t *loadedTrace, profile *replay.Profile, o replayOptions) (*deviceResult, error) {
	opt := replay.Options{Together: o.together, Solve: alloc.Options{SearchTime: searchTime(c)}}
	stop := p.showProgress(c, &opt.Solve)
	defer stop()
	ctx, cancel := limited(c.Context, c, 0)
	defer cancel()
	start := time.Now()
	plan, err := profile.Plan(ctx, opt)
	if err != nil {
		return nil, solveError(c, nil, err)
	}
	figures := profile.Figures()
	d := &deviceResult{&replayedDevice{profile, plan}, results.NewReplayDevice(profile, &figures, plan)}
	d.result.ElapsedNS = time.Since(start).Nanoseconds()
	d.result.Add(profile.Holders(t.Trace, figures.PeakEvent))
	it, err := profile.Iterations(c.Context, opt)
	if err != nil {
		return nil, solveError(c, nil, err)
	}
	if o.iterations && it != nil {
		d.result.Iterations = results.NewReplayCycles(it)
	}
	d.result.Simulated, err = simulated(c, profile, it)
	return d, err
}

// simulated says what other allocators reserve.
func simulated(c *cli.Context, profile *replay.Profile, it *replay.Iterations) (list []results.Simulated, err error) {
	for _, a := range []struct {
		name string
		pool *pool.Pool
	}{
		{results.PyTorch, pool.NewCaching(false, 0)}, {results.PyTorchExpandable, pool.NewCaching(true, 0)}, {results.Chainer, pool.NewChainer(0)},
	} {
		peak, err := profile.Simulate(a.pool)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		list = append(list, results.Simulated{Allocator: a.name, ReservedBytes: peak})
	}
	if it == nil || c.Context.Err() != nil {
		return list, nil
	}
	a := replay.NewAllocator(pool.NewCaching(false, 0), profile.Granule, alloc.Options{Quick: true, SearchTime: time.Second / 10})
	if err := profile.Serve(c.Context, a, it.Ends()); err != nil {
		return nil, err
	}
	s := a.Stats()
	return append(list, results.Simulated{Allocator: results.ProfileGuided, ReservedBytes: s.Reserved, Plans: &s.Plans}), nil
}
