package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"

	flatbuffers "github.com/google/flatbuffers/go"
)

var (
	subgraphInputs  = fieldOf(tableSubGraph, "inputs")
	subgraphOutputs = fieldOf(tableSubGraph, "outputs")
)

func (d *decoder) subgraphs() error {
	n := d.root.SubgraphsLength()
	if err := d.spend(n*objectCost, "subgraphs", int64(d.root.Table().Pos)); err != nil {
		return err
	}
	d.m.Subgraphs = make([]Subgraph, n)
	var s schema.SubGraph
	for i := range d.m.Subgraphs {
		d.root.Subgraphs(&s, i)
		if err := d.subgraph(i, &s); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) subgraph(i int, s *schema.SubGraph) (err error) {
	out := &d.m.Subgraphs[i]
	out.Index, out.Name = i, text(s.Name())
	where := place{subgraph: i}
	cost := (s.TensorsLength()+s.OperatorsLength())*objectCost + len(s.Name())/4
	if err = d.spend(cost, where.String(), int64(s.Table().Pos)); err != nil {
		return err
	}
	if err = d.tensors(out, s); err != nil {
		return err
	}
	if out.Inputs, err = d.tensorIndexes(where, subgraphInputs, s.Table(), 0, len(out.Tensors)); err != nil {
		return err
	}
	if out.Outputs, err = d.tensorIndexes(where, subgraphOutputs, s.Table(), 0, len(out.Tensors)); err != nil {
		return err
	}
	if err = d.operators(out, s); err != nil {
		return err
	}
	link(out)
	return nil
}

// A place is a subgraph, or one of its tensors or operators. It is formatted only for messages.
type place struct {
	subgraph int
	kind     string
	index    int
	// union is the operator's options field, or "" for the operator itself.
	union string
}

// String returns the place as a path.
func (p place) String() string {
	switch p.kind {
	case "tensors":
		return TensorPath(p.subgraph, p.index)
	case "operators":
		if p.union != "" {
			return OperatorPath(p.subgraph, p.index) + "." + p.union
		}
		return OperatorPath(p.subgraph, p.index)
	}
	return fmt.Sprintf("subgraphs[%d]", p.subgraph)
}

// field returns the path of a field at the place.
func (p place) field(f fieldRef) string { return p.String() + "." + f.name() }

// tensorIndexes decodes a vector of tensor indexes in [least, count).
func (d *decoder) tensorIndexes(where place, f fieldRef, t flatbuffers.Table, least, count int) ([]int, error) {
	return d.indexes(where, f, t, "tensor", least, count)
}

func (d *decoder) indexes(where place, f fieldRef, t flatbuffers.Table, what string, least, count int) ([]int, error) {
	pos, n, _ := f.vector(t)
	if !d.budget.spend(int64(n)) {
		return nil, d.spend(0, where.field(f), pos)
	}
	list := d.ints.take(n)
	for i := range list {
		at := pos + 4*int64(i)
		list[i] = int(int32At(t.Bytes, at))
		if list[i] < least || list[i] >= count {
			path := fmt.Sprintf("%s[%d]", where.field(f), i)
			return nil, outOfRange(path, at, what, int64(list[i]), count)
		}
	}
	return list, nil
}
