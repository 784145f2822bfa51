package flex

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// reach is how many layers before its own a weight may be loaded at most.
const reach = 50

// ErrNoPlan says that the method finds no plan for a budget. There may be one.
var ErrNoPlan = errors.New("the method finds no plan")

// planner is one run of the method.
type planner struct {
	net    *model.Network
	place  *model.Placement
	plane  *plane
	byStep [][3][]int // the tensors of each kind that begin with a step, in their order
	mended []string
}

// Plan plans a network in budget bytes. The notes say where the authors' program would have made
// a wrong plan. The error is [ErrNoPlan] where the method ends without a plan.
func Plan(net *model.Network, budget int64) (place *model.Placement, mended []string, err error) {
	p := &planner{net: net, place: model.OnDemand(net), byStep: make([][3][]int, len(net.Layers))}
	for i, t := range net.Tensors {
		p.byStep[t.First][t.Kind] = append(p.byStep[t.First][t.Kind], i)
	}
	top := budget &^ (model.Alignment - 1)
	if top < 0 {
		return nil, nil, ErrNoPlan
	}
	top = p.residents(budget, top)
	p.plane = newPlane(len(net.Layers), top)
	if err := p.activations(top); err != nil {
		return nil, nil, err
	}
	earliest := 0
	for layer := range net.Layers {
		if earliest, err = p.layer(layer, earliest); err != nil {
			return nil, nil, err
		}
	}
	return p.place, p.mended, nil
}

// layer plans the weights and intermediates of one layer. Its weights hold memory from step
// earliest on; it returns the same for the next layer.
func (p *planner) layer(layer, earliest int) (int, error) {
	from := max(0, min(earliest, layer), layer-reach)
	before := len(p.plane.taken)
	next, err := p.weights(layer, from)
	if err == nil {
		err = p.intermediates(layer)
	}
	if err == nil {
		return max(earliest, next), nil
	}
	p.plane.keepOnly(before)
	p.mended = append(p.mended, fmt.Sprintf("layer %d is planned again without preloading, and nothing is left of the first try", layer))
	if next, err = p.weights(layer, layer); err == nil {
		err = p.intermediates(layer)
	}
	return next, err
}

// weights gives each weight of a layer memory from the earliest step on that is possible.
func (p *planner) weights(layer, earliest int) (int, error) {
	for _, i := range p.byStep[layer][model.Weight] {
		if p.place.Resident[i] {
			continue
		}
		size := model.Up(p.net.Tensors[i].Size)
		first, pieces := p.plane.longest(earliest, layer, size)
		if len(pieces) == 0 {
			return 0, fmt.Errorf("%w: no place for weights of layer %d", ErrNoPlan, layer)
		}
		low := p.plane.choose(first, layer, pieces).low
		p.plane.take(first, layer, span{low, low + size})
		p.place.Start[i], p.place.Offsets[i] = first, low
		earliest = first
	}
	return earliest, nil
}

func (p *planner) intermediates(layer int) error {
	for _, i := range p.byStep[layer][model.Intermediate] {
		t := p.net.Tensors[i]
		size := model.Up(t.Size)
		first, pieces := p.plane.longest(layer, t.Last, size)
		if len(pieces) == 0 || first > layer {
			return fmt.Errorf("%w: no place for an intermediate of layer %d", ErrNoPlan, layer)
		}
		low := p.plane.choose(first, t.Last, pieces).low
		p.plane.take(layer, t.Last, span{low, low + size})
		p.place.Offsets[i] = low
	}
	return nil
}
