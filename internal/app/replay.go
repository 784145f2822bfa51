package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/workers"
)

// ReplayOptions configure a replay.
type ReplayOptions struct {
	replay.Options
	// Granule is the multiple in bytes that sizes are rounded up to, or 0 for the trace's own.
	Granule int64
	// Iterations also plans one iteration.
	Iterations bool
}

// A Replayed is a trace with its plans.
type Replayed struct {
	*results.Replay
	Trace *trace.File
	Plans []DevicePlan
	// Repeats reports that a device has iterations.
	Repeats bool
}

// A DevicePlan is the plan of a device.
type DevicePlan struct {
	*replay.Profile
	Plan *replay.Plan
}

// Replay plans the devices of a trace. When ctx ends, it returns the best so far.
func Replay(ctx context.Context, title string, t *trace.File, o ReplayOptions) (*Replayed, error) {
	o.Granule = cmp.Or(o.Granule, t.Granule)
	r := &Replayed{Trace: t, Replay: &results.Replay{
		Input: title, Form: t.Form, Granule: o.Granule, Devices: []results.ReplayDevice{}, Notes: []results.Note{}, Warnings: results.Notes(results.WarnTrace, t.Notes),
	}}
	for _, d := range t.Devices {
		profile, err := t.Profile(d, o.Granule)
		if err != nil {
			return nil, err
		}
		if err := r.device(ctx, profile, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Interrupted reports whether a plan is only the best so far.
func (r *Replayed) Interrupted() bool {
	return slices.ContainsFunc(r.Devices, func(d results.ReplayDevice) bool { return d.Interrupted })
}

// device plans one device.
func (r *Replayed) device(ctx context.Context, profile *replay.Profile, o ReplayOptions) error {
	start := time.Now()
	var s otherAllocators
	var group workers.Group
	group.Go(func() { s = simulated(ctx, profile) })
	plan, err := profile.Plan(ctx, o.Options)
	if err != nil {
		return err
	}
	figures := profile.Figures()
	d := results.NewReplayDevice(profile, &figures, plan)
	d.ElapsedNS = time.Since(start).Nanoseconds()
	d.Add(profile.Holders(r.Trace.Trace, figures.PeakEvent))
	it, err := profile.Iterations(ctx, o.Options)
	if err != nil {
		return err
	}
	r.Repeats = r.Repeats || it != nil
	if o.Iterations && it != nil {
		d.Iterations = results.NewReplayCycles(it)
	}
	group.Wait()
	if it != nil {
		found, err := profileGuided(ctx, profile, it)
		s.add(profile, found, err)
	}
	d.Simulated = append(d.Simulated, s.list...)
	d.Interrupted = d.Interrupted || s.cut || it != nil && it.Interrupted()
	r.Plans, r.Devices, r.Warnings = append(r.Plans, DevicePlan{profile, plan}), append(r.Devices, d), append(r.Warnings, s.notes...)
	if profile.Unseen > 0 {
		r.Warnings = append(r.Warnings, results.Note{Kind: results.WarnTrace, Text: fmt.Sprintf(
			"device %d: %d blocks were still in use when another block took their place: the trace lacks their releases, and they count as released there", profile.Device.Index, profile.Unseen)})
	}
	return s.err
}

// profileGuided simulates an allocator that plans an iteration and serves the requests of the next one
// by their order.
func profileGuided(ctx context.Context, profile *replay.Profile, it *replay.Iterations) (results.Simulated, error) {
	a := replay.NewAllocator(pool.NewCaching(false, 0), profile.Granule, alloc.Options{Quick: true, SearchTime: time.Second / 10})
	err := profile.Serve(ctx, a, it.Ends())
	s := a.Stats()
	return results.Simulated{Allocator: results.ProfileGuided, ReservedBytes: s.Reserved, Plans: &s.Plans}, err
}

// otherAllocators is the results of simulated allocators, without those whose simulation did not end,
// which notes explain.
type otherAllocators struct {
	list  []results.Simulated
	notes []results.Note
	cut   bool // by the end of the context
	err   error
}

// simulated simulates other allocators. For a trace of millions of events each of them takes as long as
// the plan, so they run concurrently.
func simulated(ctx context.Context, profile *replay.Profile) (s otherAllocators) {
	names := []results.Allocator{results.PyTorch, results.PyTorchExpandable, results.Chainer}
	pools := []*pool.Pool{pool.NewCaching(false, 0), pool.NewCaching(true, 0), pool.NewChainer(0)}
	peaks, errs := make([]int64, len(names)), make([]error, len(names))
	var wait workers.Group
	for i := range names {
		wait.Go(func() { peaks[i], errs[i] = profile.Simulate(ctx, pools[i]) })
	}
	wait.Wait()
	for i, name := range names {
		s.add(profile, results.Simulated{Allocator: name, ReservedBytes: peaks[i]}, errs[i])
	}
	return s
}

// add adds the result of one simulation, or its error.
func (s *otherAllocators) add(profile *replay.Profile, found results.Simulated, err error) {
	switch {
	case err == nil:
		s.list = append(s.list, found)
	case errors.Is(err, pool.ErrNoMemory):
		s.notes = append(s.notes, results.Note{Kind: results.WarnTrace, Text: fmt.Sprintf("device %d: %s is not simulated: %v", profile.Device.Index, found.Allocator, err)})
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		s.cut = true
	default:
		s.err = cmp.Or(s.err, fmt.Errorf("%s: %w", found.Allocator, err))
	}
}
