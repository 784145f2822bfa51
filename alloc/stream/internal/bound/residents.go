package bound

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// many is how many weights of a layer have too many sums to list them.
const many = 6

// A layer says what the residents leave to the step of a layer.
type layer struct {
	// spare is how many bytes are left beside the live ones and all weights of the layer.
	spare int64
	// sums are the sums of bytes that weights of the layer can have, ascending, or nil where
	// there are too many.
	sums []int64
}

// kept returns the least bytes of the layer that must be resident when all residents have total
// bytes: those of other layers are at most spare.
func (l *layer) kept(total int64) int64 {
	need := total - l.spare
	if need <= 0 || l.sums == nil {
		return max(need, 0)
	}
	k, _ := slices.BinarySearch(l.sums, need)
	if k == len(l.sums) {
		return total + 1 // there is no room at all
	}
	return l.sums[k]
}

// residents returns a number of bytes that the resident weights do not exceed. Residents of
// total bytes leave a layer no room for weights of its own, unless some of these are resident.
// What all layers must so keep is at most the total.
func residents(net *model.Network, live, weights []int64, budget int64) int64 {
	layers := make([]layer, len(live))
	tensors := byLayer(net)
	most := budget - slices.Max(live)
	candidates := []int64{most}
	for i := range layers {
		layers[i] = layer{budget - live[i] - weights[i], sums(tensors[i])}
		for _, sum := range layers[i].sums {
			if total := layers[i].spare + sum; total > 0 && total < most {
				candidates = append(candidates, total)
			}
		}
		if layers[i].sums == nil {
			return most
		}
	}
	slices.Sort(candidates)
	for k := len(candidates) - 1; k >= 0; k-- {
		total := candidates[k]
		var kept int64
		for i := range layers {
			if kept += layers[i].kept(total); kept > total {
				break
			}
		}
		if kept <= total {
			return total
		}
	}
	return 0
}

// sums returns all sums of the bytes of some tensors, ascending, or nil where there are too many.
func sums(tensors []tensor) []int64 {
	if len(tensors) > many {
		return nil
	}
	all := []int64{0}
	for _, t := range tensors {
		for _, sum := range slices.Clone(all) {
			all = append(all, sum+t.bytes)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
