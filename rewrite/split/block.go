package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// tile records the tensor of the model that an added tensor is a tile of, -1 for none, and the
// tile's first element in row-major order.
type tile struct {
	of    int
	start int64
}

// notTile marks an added tensor that is not a tile.
var notTile = tile{of: -1}

// Block returns the fragment's record, or nil if it adds no tensor.
func (f *Fragment) Block() *blocks.Block {
	if len(f.Tensors) == 0 {
		return nil
	}
	b := &blocks.Block{First: f.base}
	same, kept := map[int]bool{}, map[int]bool{}
	for _, o := range f.Operators {
		switch o.Kind {
		case edit.Keep:
			kept[o.Of] = true
		case edit.Valid:
			same[o.Of] = true
		}
	}
	g := f.graph
	run := g.sub.Operators[g.stage.First : g.stage.Last+1]
	var tensors []int
	for _, t := range f.tiles {
		if t.of >= 0 {
			tensors = append(tensors, t.of)
		}
	}
	for _, o := range run {
		if !kept[o.Index] {
			tensors = append(tensors, o.Outputs[0])
		}
	}
	slices.Sort(tensors)
	tensors = slices.Compact(tensors)
	for _, t := range tensors {
		b.Originals = append(b.Originals, blocks.Original{Tensor: t, Shape: g.sub.Tensors[t].Shape})
	}
	for _, o := range run {
		if !kept[o.Index] {
			out, _ := slices.BinarySearch(tensors, o.Outputs[0])
			b.Operators = append(b.Operators, blocks.Operator{Code: o.Code, Same: same[o.Index], Inputs: o.Inputs, Output: out})
		}
	}
	for _, t := range f.tiles {
		of := -1
		if t.of >= 0 {
			of, _ = slices.BinarySearch(tensors, t.of)
		}
		b.Tiles = append(b.Tiles, blocks.Tile{Original: of, Start: t.start})
	}
	return b
}
