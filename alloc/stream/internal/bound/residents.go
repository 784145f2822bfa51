package bound

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// maxSubsetWeights is the largest number of weights of a layer whose subsets are enumerated.
const maxSubsetWeights = 6

// A layer has the room for resident weights in the step of a layer.
type layer struct {
	// spare is the budget less the live bytes and all weights of the layer.
	spare int64
	// sums are the bytes of all subsets of the layer's weights, ascending, or nil if there are too
	// many.
	sums []int64
}

// kept returns the fewest bytes of the layer that must be resident if all resident weights have total
// bytes: the weights of other layers have at most spare.
func (l *layer) kept(total int64) int64 {
	need := total - l.spare
	if need <= 0 || l.sums == nil {
		return max(need, 0)
	}
	k, _ := slices.BinarySearch(l.sums, need)
	if k == len(l.sums) {
		return total + 1 // infeasible
	}
	return l.sums[k]
}

// Residents returns an upper bound of the bytes, each rounded up, of all resident weights of a plan in a budget, which
// must have one.
func Residents(net *network.Network, budget int64) int64 {
	return residents(net, net.Live(), net.Weights(), integer.RoundUp(budget, network.Alignment))
}

// residents returns an upper bound of the bytes of all resident weights: the largest total that is at
// least the sum of what each layer must keep for it.
func residents(net *network.Network, live, weights []int64, budget int64) int64 {
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

// sums returns the bytes of all subsets, ascending, or nil if there are too many.
func sums(tensors []tensor) []int64 {
	if len(tensors) > maxSubsetWeights {
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
