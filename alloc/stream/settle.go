package stream

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// Settle moves the resident weights of plans of one network to the bottom of memory, those of the most plans lowest, and all
// other tensors above them. Weights that are resident in several plans then mostly have the same offset in them, so that a
// program that changes the plan between runs need not move them. A plan that would need more memory, beyond the alignment of its
// highest tensor, stays as it is. The plans are checked with package stream/check.
func Settle(net *network.Network, plans []*Plan) ([]*Plan, error) {
	weights := byPlans(net, plans)
	settled := make([]*Plan, len(plans))
	for i, plan := range plans {
		settled[i] = plan.settled(net, weights)
		if err := check.Placement(net, settled[i].Placement, plan.Budget); err != nil {
			return nil, fmt.Errorf("fault in tflarena, please report it: a plan is wrong after its resident weights were moved: %w", err)
		}
	}
	return settled, nil
}

// byPlans returns the weights that are resident in a plan: those of the most plans first, among these the largest group of the
// same plans.
func byPlans(net *network.Network, plans []*Plan) []int {
	type group struct {
		plans int
		bytes int64
	}
	groups, names := map[string]group{}, map[int]string{}
	var weights []int
	for i, t := range net.Tensors {
		name, g := make([]byte, len(plans)), group{}
		for k, p := range plans {
			if p.Resident[i] {
				name[k] = 1
				g.plans++
			}
		}
		if g.plans > 0 {
			g.bytes = groups[string(name)].bytes + t.Size
			groups[string(name)], names[i] = g, string(name)
			weights = append(weights, i)
		}
	}
	slices.SortStableFunc(weights, func(i, j int) int {
		a, b := groups[names[i]], groups[names[j]]
		return cmp.Or(cmp.Compare(b.plans, a.plans), cmp.Compare(b.bytes, a.bytes), cmp.Compare(names[i], names[j]))
	})
	return weights
}

// settled returns the plan with its resident weights at the bottom, in the order of weights.
func (p *Plan) settled(net *network.Network, weights []int) *Plan {
	place := *p.Placement
	place.Offsets = slices.Clone(p.Offsets)
	var bottom int64
	for _, i := range weights {
		if p.Resident[i] {
			place.Offsets[i] = bottom
			bottom += integer.RoundUp(net.Tensors[i].Size, network.Alignment)
		}
	}
	for i := range net.Tensors {
		if !p.Resident[i] {
			place.Offsets[i] += bottom
		}
	}
	q := *p
	q.Placement, q.Peak = &place, place.Peak(net)
	if q.Peak > min(p.Budget, integer.RoundUp(p.Peak, network.Alignment)) {
		return p
	}
	return &q
}
