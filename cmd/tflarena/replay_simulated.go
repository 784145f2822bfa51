package main

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/results"
)

// otherAllocators is what the simulations of allocators found.
type otherAllocators struct {
	list []results.Simulated
	err  error
}

// simulated says what other allocators reserve. For a trace of millions of events each of them takes
// as long as the plan, so they run beside it and beside each other.
func simulated(profile *replay.Profile) (s otherAllocators) {
	names := []string{results.PyTorch, results.PyTorchExpandable, results.Chainer}
	pools := []*pool.Pool{pool.NewCaching(false, 0), pool.NewCaching(true, 0), pool.NewChainer(0)}
	s.list = make([]results.Simulated, len(names))
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			peak, err := profile.Simulate(pools[i])
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", name, err)
			}
			s.list[i] = results.Simulated{Allocator: name, ReservedBytes: peak}
		})
	}
	wait.Wait()
	s.err = cmp.Or(errs...)
	return s
}
