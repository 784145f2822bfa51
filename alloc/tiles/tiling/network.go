package tiling

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A network is a subgraph with what cutting it needs to know.
type network struct {
	Options
	ctx       context.Context
	model     *tflite.Model
	sub       *tflite.Subgraph
	tensors   []tensor
	operators []operator
	// accesses counts those of all operators, each by itself.
	accesses int
	// interrupted says that the context ended while operators were being joined.
	interrupted bool
}

// A tensor is what is known of one tensor.
type tensor struct {
	shape       []int64
	bits, bytes int64
	// off says that the tensor lies off chip unless a cascade keeps it: constants and handles of
	// resources do not count.
	off bool
	// state says that it keeps its contents from one run to the next.
	state bool
	// made is the operator that makes it, -1 where it is there from the beginning; last is the
	// last one that reads it, made where none does, the number of operators for an output.
	made, last int
}

// An operator is what is known of one operator.
type operator struct {
	*tflite.Operator
	// outputs are those that have bytes.
	outputs []output
	// whole says that it is computed in one step, because it does more than its outputs show or
	// because all of its inputs are needed for each part of an output.
	whole bool
}

// An output is a tensor with the regions of the inputs that it is made of.
type output struct {
	tensor  int
	regions []op.Region
}

// newNetwork returns an error where a tensor has no size, or is read before it is made.
func newNetwork(ctx context.Context, m *tflite.Model, subgraph int, o Options) (*network, error) {
	n := &network{Options: o, ctx: ctx, model: m, sub: &m.Subgraphs[subgraph]}
	if n.MaxAccesses <= 0 || n.MaxAccesses > MaxAccesses {
		n.MaxAccesses = MaxAccesses
	}
	for i := range n.sub.Tensors {
		t := &n.sub.Tensors[i]
		x := tensor{shape: extents(t), bits: int64(tflite.ElementBits(t.Type)), made: -1, last: -1, state: t.Variable}
		bytes, ok := t.PackedBytes()
		if !ok && t.Constant {
			bytes = int64(len(m.Buffer(t).Data)) // such as texts, of which each is as long as it is
		}
		used := t.Input || t.Output || t.Variable || t.Producer >= 0 || len(t.Consumers) > 0
		if used {
			x.off = !t.Constant && t.Type != schema.TensorTypeRESOURCE && t.Type != schema.TensorTypeVARIANT
		}
		if x.off && !ok || used && bytes > maxBytes { // constants count on chip
			return nil, wrong("tensor "+n.id(i), "it has no fixed size, or one above %s", units.ExactBytes(maxBytes))
		}
		if x.bytes = bytes; !ok {
			x.shape = nil // nothing follows from what is not known
		}
		n.tensors = append(n.tensors, x)
	}
	for i := range n.sub.Operators {
		n.operators = append(n.operators, n.operator(&n.sub.Operators[i]))
	}
	return n, n.times()
}

// maxBytes is the largest tensor: its bits fit in an int64, and so do sums of many.
const maxBytes = int64(1) << 40

func (n *network) id(tensor int) string { return n.model.TensorID(n.sub.Index, tensor) }

// operator returns what is known of one operator.
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

// moves reports whether some input is read part by part as the output is made.
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

// times sets when tensors are made and read.
func (n *network) times() error {
	for k, o := range n.operators {
		for _, t := range o.Inputs {
			if t < 0 || !n.tensors[t].off {
				continue
			}
			if made := n.sub.Tensors[t].Producer; made >= k && !n.sub.Tensors[t].Input && !n.tensors[t].state {
				return wrong(fmt.Sprintf("operator %d (%s)", k, o.Name), "it reads tensor %s, which is made later, by operator %d", n.id(t), made)
			}
			n.tensors[t].last = k
		}
		for _, t := range o.Outputs {
			if t < 0 || !n.tensors[t].off || n.tensors[t].state || n.sub.Tensors[t].Input {
				continue
			}
			if n.tensors[t].made >= 0 {
				return wrong(fmt.Sprintf("operator %d (%s)", k, o.Name), "it makes tensor %s, which operator %d has made", n.id(t), n.tensors[t].made)
			}
			n.tensors[t].made, n.tensors[t].last = k, k
		}
	}
	for i := range n.tensors {
		if n.sub.Tensors[i].Output || n.tensors[i].state {
			n.tensors[i].last = len(n.operators)
		}
	}
	return nil
}

// offChip reports whether a tensor lies off chip and is one that steps access in parts: it has
// bytes, and is no state, which is in use as a whole all the time.
func (n *network) offChip(t int) bool {
	return t >= 0 && n.tensors[t].off && !n.tensors[t].state && n.tensors[t].bytes > 0
}
