package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/workers"
)

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
