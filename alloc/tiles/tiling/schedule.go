package tiling

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Schedule is the steps of a subgraph. Step 0 writes the inputs, and the last step reads the outputs.
type Schedule struct {
	// Runs are the operators in order.
	Runs []Run
	// Tensors are the tensors off chip, and Indexes their indexes in the subgraph.
	Tensors  []lifetime.Tiled
	Indexes  []int
	LastStep int
	// WholeTensors are usage records without tiles. Position i+1 is operator i.
	WholeTensors []lifetime.Record
	// Interrupted is set if the context ended in the search for cascades.
	Interrupted bool
}

// A Run is an operator, or a cascade of several.
type Run struct {
	// First and Last are indexes of operators, and FirstStep and LastStep are steps, all inclusive.
	First, Last, FirstStep, LastStep int
	// Tile is the kind of the tiles of the first output, and Extent the number of rows, pixels or
	// channels of each; the last tile may have fewer.
	Tile   Cut
	Extent int64
	// OnChip is the most bytes on chip of any step.
	OnChip int64
	// Between are the indexes of the tensors that stay on chip, and Kept the most bytes of their rows
	// in any step.
	Between []int
	Kept    int64
}

// New cuts a subgraph. If the context ends in the search for cascades, New returns the best schedule so
// far; before, it returns the context's error. Other errors are a [*SizeError], or an [*Error] if a
// tensor has no fixed size, operators are out of order, given tiles are invalid, or there are too many
// accesses.
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

// schedule numbers the steps of blocks and collects the accesses of each tensor.
func (n *network) schedule(blocks []*block) *Schedule {
	s := &Schedule{WholeTensors: n.wholeTensors(), Interrupted: n.interrupted}
	accesses := n.accessLists(blocks)
	add := func(t int, a lifetime.Access) { accesses[t] = append(accesses[t], a) }
	for t := range n.tensors {
		if n.offChip(t) && n.tensors[t].producer < 0 && (n.tensors[t].lastReader >= 0 || n.sub.Tensors[t].Input) {
			add(t, lifetime.Access{Write: true, Hi: n.tensors[t].bytes})
		}
	}
	for _, b := range blocks {
		r := Run{First: b.first, Last: b.last, FirstStep: s.LastStep + 1, Tile: b.tile, Extent: b.extent, OnChip: b.peakOnChip(), Between: b.between, Kept: b.kept}
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
		case x.offChip && x.state && x.bytes > 0:
			tiled.Whole = &lifetime.Steps{First: 0, Last: s.LastStep}
		case n.offChip(t) && x.lastReader == len(n.operators):
			add(t, lifetime.Access{Step: s.LastStep, Hi: x.bytes})
		}
		if tiled.Accesses = accesses[t]; len(tiled.Accesses) > 0 || tiled.Whole != nil {
			s.Tensors, s.Indexes = append(s.Tensors, tiled), append(s.Indexes, t)
		}
	}
	return s
}

// accessLists returns lists with capacity for the accesses of each tensor, and two more.
func (n *network) accessLists(blocks []*block) [][]lifetime.Access {
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

// wholeTensors returns [Schedule.WholeTensors].
func (n *network) wholeTensors() []lifetime.Record {
	var list []lifetime.Record
	for t, x := range n.tensors {
		if !x.offChip || x.bytes == 0 || x.producer < 0 && x.lastReader < 0 && !n.sub.Tensors[t].Input {
			continue
		}
		r := lifetime.Record{ID: n.id(t), Name: n.sub.Tensors[t].Name, First: x.producer + 1, Last: max(x.lastReader, x.producer) + 1, Size: x.bytes, Align: n.Align}
		if x.state {
			r.First = 0
		}
		list = append(list, r)
	}
	return list
}
