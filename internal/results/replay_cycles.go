package results

import "github.com/tflarena/tflarena/alloc/replay"

// NewReplayCycles returns iterations as a result.
func NewReplayCycles(it *replay.Iterations) *ReplayCycles {
	c := &ReplayCycles{
		Source: it.Source, Reference: it.Reference, Fitting: it.Fitting, List: []ReplayCycle{},
		HotBytes: it.Hot.Total, HotBound: it.Hot.LowerBound, KeptBytes: it.Kept.Total, ProvenOptimal: it.Hot.Optimal && it.Kept.Optimal,
	}
	for _, s := range it.List {
		c.List = append(c.List, ReplayCycle{
			FirstEvent: s.First, EndEvent: s.End, Requests: s.Requests, Hot: s.Hot, PeakBytes: s.Peak, Fits: s.Misfit == "", Reason: s.Misfit,
		})
	}
	return c
}

// An Allocator is an allocator that is simulated.
type Allocator string

// The allocators.
const (
	PyTorch           Allocator = "pytorch"
	PyTorchExpandable Allocator = "pytorch-expandable"
	Chainer           Allocator = "chainer"
	ProfileGuided     Allocator = "profile-guided" // a plan for each iteration, by the order of requests
)
