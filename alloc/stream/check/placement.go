package check

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
)

// Placement returns an error if a placement in budget bytes is wrong: slices of other lengths than
// the network's, resident tensors that are no weights, invalid first steps, offsets that are
// negative, misaligned or too high, or two tensors that share a byte in a step.
func Placement(net *network.Network, place *network.Placement, budget int64) error {
	n := len(net.Tensors)
	if len(place.Resident) != n || len(place.Start) != n || len(place.Offsets) != n {
		return fmt.Errorf("the network has %d tensors, but the placement has %d, %d and %d", n, len(place.Resident), len(place.Start), len(place.Offsets))
	}
	records := make([]lifetime.Record, n)
	var peak int64
	for i, t := range net.Tensors {
		if err := checkFirstStep(t, place.Resident[i], place.Start[i]); err != nil {
			return fmt.Errorf("tensor %d (%v of layer %d) %w", i, t.Kind, t.First, err)
		}
		if place.Offsets[i] < 0 || place.Offsets[i]%64 != 0 || t.Size > 0 && t.Size > budget-place.Offsets[i] {
			return fmt.Errorf("tensor %d (%v of layer %d) lies at %d: that is not a multiple of 64 with room for %d bytes below %d",
				i, t.Kind, t.First, place.Offsets[i], t.Size, budget)
		}
		if t.Size > 0 {
			peak = max(peak, place.Offsets[i]+t.Size)
		}
		records[i] = lifetime.Record{First: place.Start[i], Last: t.Last, Size: t.Size, Align: 64}
		if place.Resident[i] {
			records[i].First, records[i].Last = 0, len(net.Layers)-1
		}
	}
	return check.Offsets(records, place.Offsets, peak)
}

// checkFirstStep returns an error if the first step of a tensor is invalid.
func checkFirstStep(t network.Tensor, resident bool, start int) error {
	switch {
	case resident && t.Kind != network.Weight:
		return fmt.Errorf("is resident, but no weight")
	case resident && start != 0:
		return fmt.Errorf("is resident, but begins with step %d", start)
	case t.Kind == network.Weight && (start < 0 || start > t.First):
		return fmt.Errorf("begins with step %d, which is not one up to its layer", start)
	case t.Kind != network.Weight && start != t.First:
		return fmt.Errorf("begins with step %d", start)
	}
	return nil
}
