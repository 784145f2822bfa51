package tiling

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A network is a subgraph to cut, with derived figures.
type network struct {
	Options
	ctx       context.Context
	model     *tflite.Model
	sub       *tflite.Subgraph
	tensors   []tensor
	operators []operator
	// accesses counts the accesses of all operators, without cascades.
	accesses int
	// interrupted is set if the context ended in the search for cascades.
	interrupted bool
}

// A tensor is a tensor of the subgraph.
type tensor struct {
	shape       []int64
	bits, bytes int64
	offChip     bool // off chip unless a cascade keeps it: not a constant or a resource handle
	state       bool // keeps its contents between runs
	// producer is the operator that makes the tensor, or -1. lastReader is the last operator that
	// reads it, producer if none does, and the number of operators for an output of the subgraph.
	producer, lastReader int
}

// An operator is an operator of the subgraph.
type operator struct {
	*tflite.Operator
	outputs []output // without empty ones
	// whole is set if the operator is computed in one step, because it has side effects or because
	// each part of an output needs all inputs.
	whole bool
}

// An output is a tensor with the regions of the inputs that it depends on.
type output struct {
	tensor  int
	regions []op.Region
}

// newNetwork returns an error if a tensor has no fixed size, or is read before it is made.
func newNetwork(ctx context.Context, m *tflite.Model, subgraph int, o Options) (*network, error) {
	n := &network{Options: o, ctx: ctx, model: m, sub: &m.Subgraphs[subgraph]}
	if n.MaxAccesses <= 0 || n.MaxAccesses > MaxAccesses {
		n.MaxAccesses = MaxAccesses
	}
	for i := range n.sub.Tensors {
		t := &n.sub.Tensors[i]
		x := tensor{shape: extents(t), bits: int64(tflite.ElementBits(t.Type)), producer: -1, lastReader: -1, state: t.Variable}
		bytes, ok := t.PackedBytes()
		if !ok && t.Constant {
			bytes = int64(len(m.Buffer(t).Data)) // such as strings
		}
		used := t.Input || t.Output || t.Variable || t.Producer >= 0 || len(t.Consumers) > 0
		if used {
			x.offChip = !t.Constant && t.Type != schema.TensorTypeRESOURCE && t.Type != schema.TensorTypeVARIANT
		}
		if x.offChip && !ok || used && bytes > maxBytes { // constants count on chip
			return nil, wrong("tensor "+n.id(i), "it has no fixed size, or one above %s", units.ExactBytes(maxBytes))
		}
		if x.bytes = bytes; !ok {
			x.shape = nil
		}
		n.tensors = append(n.tensors, x)
	}
	for i := range n.sub.Operators {
		n.operators = append(n.operators, n.operator(&n.sub.Operators[i]))
	}
	return n, n.setLifetimes()
}

// maxBytes is the size of the largest tensor. Its bits, and sums of many sizes, fit into an int64.
const maxBytes = int64(1) << 40

func (n *network) id(tensor int) string { return n.model.TensorID(n.sub.Index, tensor) }

func (n *network) operator(o *tflite.Operator) operator {
	x := operator{Operator: o, whole: op.HasEffects(n.model, o)}
	for k, t := range o.Outputs {
		if t < 0 || n.tensors[t].bytes == 0 {
			continue
		}
		x.outputs = append(x.outputs, output{t, op.Regions(n.model, n.sub, o, k)})
		x.whole = x.whole || n.tensors[t].state
	}
	for _, t := range o.Inputs {
		x.whole = x.whole || t >= 0 && n.tensors[t].state
	}
	for _, out := range x.outputs {
		x.whole = x.whole || !out.moves()
	}
	x.whole = x.whole || len(x.outputs) == 0
	return x
}

// moves reports whether any input is read in parts.
func (o output) moves() bool {
	for _, r := range o.regions {
		for _, a := range r {
			if a.Scale > 0 && a.Of >= 0 {
				return true
			}
		}
	}
	return false
}

// setLifetimes sets producer and lastReader of all tensors.
func (n *network) setLifetimes() error {
	for k, o := range n.operators {
		for _, t := range o.Inputs {
			if t < 0 || !n.tensors[t].offChip {
				continue
			}
			if made := n.sub.Tensors[t].Producer; made >= k && !n.sub.Tensors[t].Input && !n.tensors[t].state {
				return wrong(fmt.Sprintf("operator %d (%s)", k, o.Name), "it reads tensor %s, which is made later, by operator %d", n.id(t), made)
			}
			n.tensors[t].lastReader = k
		}
		for _, t := range o.Outputs {
			if t < 0 || !n.tensors[t].offChip || n.tensors[t].state || n.sub.Tensors[t].Input {
				continue
			}
			if n.tensors[t].producer >= 0 {
				return wrong(fmt.Sprintf("operator %d (%s)", k, o.Name), "it makes tensor %s, which operator %d has made", n.id(t), n.tensors[t].producer)
			}
			n.tensors[t].producer, n.tensors[t].lastReader = k, k
		}
	}
	for i := range n.tensors {
		if n.sub.Tensors[i].Output || n.tensors[i].state {
			n.tensors[i].lastReader = len(n.operators)
		}
	}
	return nil
}

// offChip reports whether steps access a tensor off chip in parts. Empty tensors have no accesses, and
// state is always in use as a whole.
func (n *network) offChip(t int) bool {
	return t >= 0 && n.tensors[t].offChip && !n.tensors[t].state && n.tensors[t].bytes > 0
}
