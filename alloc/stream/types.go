package stream

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// The types of the model. They stand in a package of their own so that the checker and the
// methods share them and nothing else.
type (
	// A Network is a chain of layers and all of their tensors.
	Network = model.Network
	// A Layer is one step of a network, with the time that it loads and computes.
	Layer = model.Layer
	// A Tensor is a number of bytes that layers need.
	Tensor = model.Tensor
	// A Kind says what a tensor is for.
	Kind = model.Kind
	// A Placement says which weights are resident, from when each weight holds memory, and
	// where every tensor lies.
	Placement = model.Placement
	// A Timeline says when each layer loads and computes.
	Timeline = model.Timeline
	// A Span is a piece of time.
	Span = model.Span
)

const (
	// Weight is a tensor that is read from storage before its layer computes.
	Weight = model.Weight
	// Activation is the output of a layer, or the input of the network.
	Activation = model.Activation
	// Intermediate is what a layer needs while it computes.
	Intermediate = model.Intermediate
	// Alignment is what every offset is a multiple of, in bytes.
	Alignment = model.Alignment
)

// Simulate runs the loader and the processor: load i takes loads[i] and begins when the load before
// it has ended and layer waits[i] has computed, compute i begins when compute i-1 and load i have
// ended. [Plan] has the waits of a plan, and [Placement.Loads] its loads.
func Simulate(net *Network, loads []time.Duration, waits []int) *Timeline {
	return model.Simulate(net, loads, waits)
}
