package tiling

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Schedule is the steps of a subgraph. Step 0 writes the inputs, and the last step reads the
// outputs.
type Schedule struct {
	// Runs are the operators in their order.
	Runs []Run
	// Tensors are those off chip, with the indexes that they have in the subgraph.
	Tensors []lifetime.Tiled
	Indexes []int
	// LastStep is the number of the last step.
	LastStep int
	// WholeTensors are the records of all tensors as they are without tiles: position i+1 is
	// operator i, and each tensor is in use from the operator that makes it to the last one that
	// reads it, both inclusive.
	WholeTensors []lifetime.Record
	// Interrupted says that the context ended while operators were being joined: other cascades may
	// lower the peak further.
	Interrupted bool
}

// A Run is an operator, or a cascade of several.
type Run struct {
	// First and Last are the operators' indexes, FirstStep and LastStep the steps, all inclusive.
	First, Last, FirstStep, LastStep int
	// Tile says what the tiles are: [Rows], [Pixels], [Channels], [Whole] or [Own]. Extent is how
	// many rows, pixels or channels each has; the last one may have less. Of an operator with
	// several outputs they are about the first one.
	Tile   Cut
	Extent int64
	// OnChip is the most bytes that one of the steps needs on chip.
	OnChip int64
	// Between are the indexes of the tensors that stay on chip, and Kept the most bytes that
	// their rows take there in a step.
	Between []int
	Kept    int64
}

// New cuts a subgraph. When the context ends while New looks for cascades, it returns the best
// schedule that it has found; before that, it returns the context's error. Any other error is a
// [*SizeError] where the memory on chip is too small for a tile, and an [*Error] where a tensor
// has no fixed size, where operators are not in an order in which they can run, where given
// tiles make no sense, or where there are more accesses than there may be.
func New(ctx context.Context, m *tflite.Model, subgraph int, o Options) (*Schedule, error) {
	if subgraph < 0 || subgraph >= len(m.Subgraphs) {
		return nil, wrong("the model", "there is no subgraph %d: it has %d", subgraph, len(m.Subgraphs))
	}
	n, err := newNetwork(ctx, m, subgraph, o)
	if err != nil {
		return nil, err
	}
	if err := n.checkGiven(); err != nil {
		return nil, err
	}
	singles := make([]*block, len(n.operators))
	for k := range n.operators {
		if n.Given.joined(k) {
			continue
		}
		if singles[k], err = n.single(k); err != nil {
			return nil, err
		}
	}
	blocks, err := n.join(singles)
	if err != nil {
		return nil, err
	}
	return n.schedule(blocks), nil
}

func (n *network) tooMany(k int) error {
	return wrong(fmt.Sprintf("operator %d (%s)", k, n.operators[k].Name),
		"with its steps there are more than %d accesses: tiles of more rows or pixels make fewer", n.MaxAccesses)
}

// schedule numbers the steps of blocks and gives each tensor its accesses.
func (n *network) schedule(blocks []*block) *Schedule {
	s := &Schedule{WholeTensors: n.wholeTensors(), Interrupted: n.interrupted}
	accesses := n.room(blocks)
	add := func(t int, a lifetime.Access) { accesses[t] = append(accesses[t], a) }
	for t := range n.tensors {
		if n.offChip(t) && n.tensors[t].made < 0 && (n.tensors[t].last >= 0 || n.sub.Tensors[t].Input) {
			add(t, lifetime.Access{Write: true, Hi: n.tensors[t].bytes})
		}
	}
	for _, b := range blocks {
		r := Run{First: b.first, Last: b.last, FirstStep: s.LastStep + 1, Tile: b.tile, Extent: b.extent, OnChip: b.most(), Between: b.between, Kept: b.kept}
		for _, x := range b.steps {
			s.LastStep++
			for _, a := range x.touches {
				add(a.tensor, lifetime.Access{Step: s.LastStep, Write: a.write, Lo: a.lo, Hi: a.hi})
			}
		}
		r.LastStep = s.LastStep
		s.Runs = append(s.Runs, r)
	}
	s.LastStep++
	for t, x := range n.tensors {
		tiled := lifetime.Tiled{ID: n.id(t), Name: n.sub.Tensors[t].Name, Size: x.bytes, Align: n.Align}
		switch {
		case x.off && x.state && x.bytes > 0:
			tiled.Whole = &lifetime.Steps{First: 0, Last: s.LastStep}
		case n.offChip(t) && x.last == len(n.operators):
			add(t, lifetime.Access{Step: s.LastStep, Hi: x.bytes})
		}
		if tiled.Accesses = accesses[t]; len(tiled.Accesses) > 0 || tiled.Whole != nil {
			s.Tensors, s.Indexes = append(s.Tensors, tiled), append(s.Indexes, t)
		}
	}
	return s
}

// room returns a list for the accesses of each tensor in the steps of blocks, and for two besides.
func (n *network) room(blocks []*block) [][]lifetime.Access {
	count := make([]int, len(n.tensors))
	for _, b := range blocks {
		for _, x := range b.steps {
			for _, a := range x.touches {
				count[a.tensor]++
			}
		}
	}
	list := make([][]lifetime.Access, len(count))
	for t, c := range count {
		if c > 0 {
			list[t] = make([]lifetime.Access, 0, c+2)
		}
	}
	return list
}

// wholeTensors returns the records of tensors that are not cut.
func (n *network) wholeTensors() []lifetime.Record {
	var list []lifetime.Record
	for t, x := range n.tensors {
		if !x.off || x.bytes == 0 || x.made < 0 && x.last < 0 && !n.sub.Tensors[t].Input {
			continue
		}
		r := lifetime.Record{ID: n.id(t), Name: n.sub.Tensors[t].Name, First: x.made + 1, Last: max(x.last, x.made) + 1, Size: x.bytes, Align: n.Align}
		if x.state {
			r.First = 0
		}
		list = append(list, r)
	}
	return list
}
