package firmware

import (
	"context"

	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// A Plan is a plan of a model as TensorFlow Lite Micro sees it.
type Plan struct {
	// View is the model, and Scratch the requests of its kernels.
	View    *rules.View
	Scratch []rules.Request
	// Records are the records of the view, followed by the scratch; Offsets are their offsets in bytes.
	Records []lifetime.Record
	Offsets []int64
}

// On returns the plan as the runtime uses it on a target. It returns the errors of [pin.Follow].
func (p *Plan) On(device rules.Device) (*export.Firmware, error) {
	f := &export.Firmware{
		Tensors: len(p.View.Records()), Requests: p.requests(),
		Expected: len(device.WithKernelScratch().Requests(p.View.Model)), Kernels: device.Kernels,
		Metadata: pin.Fixed(p.View, p.Offsets), Subgraphs: len(p.View.Model.Subgraphs),
		Target: device.ABI.Title, Alignment: arenaAlignment(p.View.Rules.Align),
	}
	outcome, err := pin.Follow(context.Background(), p.View.Rules, p.View.Model, f.Metadata, p.Scratch)
	if err != nil {
		return nil, err
	}
	f.Head, f.Required = outcome.Head, outcome.Arena(device).Required
	return f, nil
}

// requests returns the record index of each scratch request, -1 without a record.
func (p *Plan) requests() []int {
	of := map[string]int{}
	for i, r := range p.Records {
		of[r.ID] = i
	}
	list := make([]int, len(p.Scratch))
	for k := range list {
		i, ok := of[rules.ScratchID(k)]
		if !ok {
			i = -1
		}
		list[k] = i
	}
	return list
}

// arenaAlignment returns the required alignment of an arena's address for offsets that are multiples of
// so many bytes. Addresses are aligned to powers of two only.
func arenaAlignment(offsets int64) int64 { return max(offsets&-offsets, alignment) }
