package network

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// Alignment is the alignment of every offset, in bytes.
const Alignment = 64

// MaxTime is the largest sum of all durations of a network. No simulation of it overflows.
const MaxTime = 1000 * time.Hour

// MaxBudget is the largest budget, in bytes; more memory makes no difference.
const MaxBudget = lifetime.MaxTotal

// A Kind is the use of a tensor.
type Kind int

const (
	// Weight is a tensor that is read from storage before its layer computes.
	Weight Kind = iota
	// Activation is the output of a layer, or the input of the network.
	Activation
	// Intermediate is scratch memory of a layer.
	Intermediate
)

// String returns the word for the kind in messages and files.
func (k Kind) String() string {
	switch k {
	case Weight:
		return "weight"
	case Activation:
		return "activation"
	case Intermediate:
		return "intermediate"
	}
	return fmt.Sprintf("kind %d", int(k))
}

// A Layer is one step of the network.
type Layer struct {
	Name string // may be empty
	// Load is the time to read all weights, and Compute the time to compute. Both are ignored for layer
	// 0, the input.
	Load, Compute time.Duration
}

// A Tensor is a block of memory that layers use.
type Tensor struct {
	Name string // may be empty
	Kind Kind
	// First and Last are the layers, both inclusive, in whose steps the tensor is needed. For a
	// weight, both are its layer.
	First, Last int
	Size        int64 // in bytes
}

// A Network is a chain of layers and their tensors.
type Network struct {
	Layers  []Layer
	Tensors []Tensor
}

// Check returns an error if the network is invalid: a tensor of a missing layer or one that ends
// before it begins, a weight of layer 0 or of two layers, a negative size or duration, or sums above
// [MaxTime] or [lifetime.MaxTotal].
func (n *Network) Check() error {
	if len(n.Layers) == 0 {
		return fmt.Errorf("the network has no layers")
	}
	var sum time.Duration
	for i, l := range n.Layers {
		if l.Load < 0 || l.Compute < 0 {
			return fmt.Errorf("layer %d has a negative duration", i)
		}
		if l.Load > MaxTime-sum || l.Compute > MaxTime-sum-l.Load {
			return fmt.Errorf("layer %d brings the sum of all durations above %v", i, MaxTime)
		}
		sum += l.Load + l.Compute
	}
	var bytes int64
	for i, t := range n.Tensors {
		if err := n.checkTensor(t); err != nil {
			return fmt.Errorf("tensor %d (%v): %w", i, t.Kind, err)
		}
		if t.Size > lifetime.MaxTotal-Alignment-bytes {
			return fmt.Errorf("tensor %d (%v) brings the sum of sizes above %d bytes", i, t.Kind, lifetime.MaxTotal)
		}
		bytes += integer.RoundUp(t.Size, Alignment)
	}
	return nil
}

func (n *Network) checkTensor(t Tensor) error {
	switch {
	case t.Kind < Weight || t.Kind > Intermediate:
		return fmt.Errorf("there is no such kind")
	case t.First < 0 || t.Last >= len(n.Layers):
		return fmt.Errorf("it is needed in layers %d to %d, but there are only layers 0 to %d", t.First, t.Last, len(n.Layers)-1)
	case t.First > t.Last:
		return fmt.Errorf("it is needed from layer %d to layer %d: there is no such layer", t.First, t.Last)
	case t.Kind == Weight && t.First != t.Last:
		return fmt.Errorf("a weight belongs to one layer, not to layers %d to %d", t.First, t.Last)
	case t.Kind == Weight && t.First == 0:
		return fmt.Errorf("layer 0 is the input and has no weights")
	case t.Size < 0:
		return fmt.Errorf("it has %d bytes: a size is not negative", t.Size)
	}
	return nil
}

// Live returns the bytes of the activations and intermediates that are alive in each step, each
// rounded up to [Alignment].
func (n *Network) Live() []int64 {
	live := make([]int64, len(n.Layers)+1)
	for _, t := range n.Tensors {
		if t.Kind != Weight {
			live[t.First] += integer.RoundUp(t.Size, Alignment)
			live[t.Last+1] -= integer.RoundUp(t.Size, Alignment)
		}
	}
	for i := 1; i < len(live); i++ {
		live[i] += live[i-1]
	}
	return live[:len(n.Layers)]
}

// Compute returns the time that all layers compute: no run is faster, however weights are cut.
func (n *Network) Compute() (sum time.Duration) {
	for i, l := range n.Layers {
		if i > 0 {
			sum += l.Compute
		}
	}
	return sum
}

// WeightBytes returns the bytes of all weights.
func (n *Network) WeightBytes() (bytes int64) {
	for _, t := range n.Tensors {
		if t.Kind == Weight {
			bytes += t.Size
		}
	}
	return bytes
}

// Weights returns the bytes of the weights of each layer, each rounded up to [Alignment].
func (n *Network) Weights() []int64 {
	bytes := make([]int64, len(n.Layers))
	for _, t := range n.Tensors {
		if t.Kind == Weight {
			bytes[t.First] += integer.RoundUp(t.Size, Alignment)
		}
	}
	return bytes
}
