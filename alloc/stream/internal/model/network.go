package model

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/lifetime"
)

// Alignment is what every offset is a multiple of, in bytes.
const Alignment = 64

// MaxTime is the longest sum of all durations that a network may have: with it, no sum that
// a simulation makes overflows.
const MaxTime = 1000 * time.Hour

// MaxBudget is the largest budget in bytes that makes a difference.
const MaxBudget = lifetime.MaxTotal

// A Kind says what a tensor is for.
type Kind int

const (
	// Weight is a tensor that is read from storage before its layer computes.
	Weight Kind = iota
	// Activation is the output of a layer, or the input of the network.
	Activation
	// Intermediate is what a layer needs while it computes.
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

// A Layer is one step of the network. Loading and computing belong to layers, not to tensors.
type Layer struct {
	// Name is for people and may be empty.
	Name string
	// Load is how long it takes to read all weights of the layer, Compute how long the
	// layer computes. Those of layer 0, the input, do not count.
	Load, Compute time.Duration
}

// A Tensor is a number of bytes that a layer needs.
type Tensor struct {
	// Name is for people and may be empty.
	Name string
	Kind Kind
	// First and Last are the layers, both inclusive, in whose steps the tensor is needed.
	// They are the same for a weight: its layer.
	First, Last int
	// Size is in bytes.
	Size int64
}

// A Network is a chain of layers and all of their tensors.
type Network struct {
	Layers  []Layer
	Tensors []Tensor
}

// Check reports what makes no network: a tensor of a layer that does not exist, or that is
// dead before it is alive, a weight of layer 0 or of two layers, a negative size or duration,
// or numbers so large that their sum overflows.
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
		bytes += Up(t.Size)
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

// Up rounds a size up to a multiple of [Alignment]: the bytes that a tensor keeps from others.
func Up(size int64) int64 { return (size + Alignment - 1) &^ (Alignment - 1) }

// Live returns for each step the bytes of the activations and intermediates that are alive in
// it, each rounded up.
func (n *Network) Live() []int64 {
	live := make([]int64, len(n.Layers)+1)
	for _, t := range n.Tensors {
		if t.Kind != Weight {
			live[t.First] += Up(t.Size)
			live[t.Last+1] -= Up(t.Size)
		}
	}
	for i := 1; i < len(live); i++ {
		live[i] += live[i-1]
	}
	return live[:len(n.Layers)]
}

// Weights returns for each layer the bytes of its weights, each rounded up.
func (n *Network) Weights() []int64 {
	bytes := make([]int64, len(n.Layers))
	for _, t := range n.Tensors {
		if t.Kind == Weight {
			bytes[t.First] += Up(t.Size)
		}
	}
	return bytes
}
