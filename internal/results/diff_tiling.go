package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/tflite"
)

// A TiledBlock is a run of operators that a model computes in tiles.
type TiledBlock struct {
	Subgraph int `json:"subgraph"`
	// Kinds of the original operators, in their order.
	Kinds []string `json:"kinds"`
	// Number of tiles of the last output.
	Tiles int `json:"tiles"`
	// Dimensions along which the last output is cut, 0 for the batch.
	Dimensions []int `json:"cut_dimensions"`
	// Number of operators of the file that compute the run.
	TileOperators int `json:"tile_operators"`

	block blocks.Block
	rank  int
}

// tiledBlocks returns the tiled blocks of a model.
func tiledBlocks(m *tflite.Model) (list []TiledBlock) {
	for _, block := range blocks.Of(m).Blocks {
		t := TiledBlock{Subgraph: block.Subgraph, Kinds: []string{}, Dimensions: []int{}, block: block}
		sub := &m.Subgraphs[block.Subgraph]
		for _, o := range block.Operators {
			t.Kinds = append(t.Kinds, m.OperatorCodes[o.Code].Name())
		}
		last := block.Operators[len(block.Operators)-1]
		shape := block.Originals[last.Output].Shape
		t.rank = len(shape)
		for i, tile := range block.Tiles {
			of := &sub.Tensors[block.First+i]
			if tile.Original != last.Output || of.Producer < 0 || sub.Operators[of.Producer].Code != last.Code {
				continue // it is cut out of tiles or joined from them
			}
			t.Tiles++
			for d, n := range of.Shape {
				if d < t.rank && n != shape[d] && !slices.Contains(t.Dimensions, d) {
					t.Dimensions = append(t.Dimensions, d)
				}
			}
		}
		slices.Sort(t.Dimensions)
		for i := range sub.Operators {
			if t.computes(&sub.Operators[i]) {
				t.TileOperators++
			}
		}
		list = append(list, t)
	}
	return list
}

// computes reports whether an operator of the subgraph reads or writes a tensor of the block.
func (t TiledBlock) computes(o *tflite.Operator) bool {
	added := func(tensor int) bool { return tensor >= t.block.First && tensor < t.block.First+len(t.block.Tiles) }
	return slices.ContainsFunc(o.Inputs, added) || slices.ContainsFunc(o.Outputs, added)
}

// original returns the index in [blocks.Block.Originals] of a tensor of the subgraph, or -1.
func (t TiledBlock) original(tensor int) int {
	return slices.IndexFunc(t.block.Originals, func(o blocks.Original) bool { return o.Tensor == tensor })
}

// makes reports whether an original operator of the block makes a tensor of the subgraph.
func (t TiledBlock) makes(tensor int) bool {
	at := t.original(tensor)
	return at >= 0 && slices.ContainsFunc(t.block.Operators, func(o blocks.Operator) bool { return o.Output == at })
}

func (t TiledBlock) same(other TiledBlock) bool {
	return t.Subgraph == other.Subgraph && t.Tiles == other.Tiles && t.TileOperators == other.TileOperators &&
		slices.Equal(t.Kinds, other.Kinds) && slices.Equal(t.Dimensions, other.Dimensions) &&
		slices.EqualFunc(t.block.Originals, other.block.Originals, func(a, b blocks.Original) bool {
			return a.Tensor == b.Tensor && slices.Equal(a.Shape, b.Shape)
		})
}

// text describes the block; other is the other model, which may have the original operators.
func (t TiledBlock) text(other *tflite.Model) string {
	var at []int
	if t.Subgraph < len(other.Subgraphs) {
		for i, o := range other.Subgraphs[t.Subgraph].Operators {
			if slices.ContainsFunc(o.Outputs, t.makes) {
				at = append(at, i)
			}
		}
	}
	of := count(len(t.Kinds), "operator")
	if len(at) == len(t.Kinds) {
		of = fmt.Sprintf("operator %d:%d", t.Subgraph, at[0])
		if last := at[len(at)-1]; last > at[0] {
			of = fmt.Sprintf("operators %d:%d to %d:%d", t.Subgraph, at[0], t.Subgraph, last)
		}
	}
	what := "tile"
	switch {
	case t.rank == 4 && slices.Equal(t.Dimensions, []int{1}):
		what = "row strip"
	case t.rank > 1 && slices.Equal(t.Dimensions, []int{t.rank - 1}):
		what = "channel slice"
	}
	return fmt.Sprintf("%s in %s (%s)", of, count(t.Tiles, what), count(t.TileOperators, "operator"))
}

// tiledOnly returns the tiled blocks of a that b lacks.
func tiledOnly(a, b *DiffSide) (list []TiledBlock) {
	for _, t := range a.Tiled {
		if !slices.ContainsFunc(b.Tiled, t.same) {
			list = append(list, t)
		}
	}
	return list
}

// tilingLines lists the tiled blocks of one of the models that the other lacks.
func (d *Diff) tilingLines(b *strings.Builder, s Style) {
	s.lines(b, "untiled", texts(tiledOnly(&d.A, &d.B), func(t TiledBlock) string { return t.text(d.B.model) }))
	s.lines(b, "tiled", texts(tiledOnly(&d.B, &d.A), func(t TiledBlock) string { return t.text(d.A.model) }))
}

// withoutTiles returns the difference without the operators and tensors of blocks that only one of the
// models has, and without their originals.
func (d *Diff) withoutTiles() *Diff {
	if !d.retiled {
		return d
	}
	blocksA, blocksB := tiledOnly(&d.A, &d.B), tiledOnly(&d.B, &d.A)
	operator := func(m *tflite.Model, own, others []TiledBlock) func(modeldiff.Operator) bool {
		return func(o modeldiff.Operator) bool {
			of := &m.Subgraphs[o.Subgraph].Operators[o.Index]
			return slices.ContainsFunc(own, func(t TiledBlock) bool { return t.Subgraph == o.Subgraph && t.computes(of) }) ||
				slices.ContainsFunc(others, func(t TiledBlock) bool { return t.Subgraph == o.Subgraph && slices.ContainsFunc(of.Outputs, t.makes) })
		}
	}
	tensor := func(m *tflite.Model, own []TiledBlock) func(modeldiff.Tensor) bool {
		ids := map[string]bool{}
		for _, t := range own {
			for i := range t.block.Tiles {
				ids[m.TensorID(t.Subgraph, t.block.First+i)] = true
			}
		}
		for _, t := range append(slices.Clone(blocksA), blocksB...) {
			for _, o := range t.block.Originals {
				ids[m.TensorID(t.Subgraph, o.Tensor)] = true
			}
		}
		return func(t modeldiff.Tensor) bool { return ids[t.ID] }
	}
	shown := *d
	shown.Operators = without(d.Operators, operator(d.A.model, blocksA, blocksB), operator(d.B.model, blocksB, blocksA))
	shown.Tensors = without(d.Tensors, tensor(d.A.model, blocksA), tensor(d.B.model, blocksB))
	for _, t := range append(blocksA, blocksB...) {
		shown.hidden.operators, shown.hidden.tensors = shown.hidden.operators+t.TileOperators, shown.hidden.tensors+len(t.block.Tiles)
	}
	shown.Differences = shown.sorts()
	return &shown
}

// without returns a list without the elements for which the function for their model returns true.
func without[T any](l modeldiff.List[T], ofA, ofB func(T) bool) modeldiff.List[T] {
	l.Changed = slices.DeleteFunc(slices.Clone(l.Changed), func(c modeldiff.Change[T]) bool { return ofA(c.A) || ofB(c.B) })
	l.Added = slices.DeleteFunc(slices.Clone(l.Added), ofB)
	l.Removed = slices.DeleteFunc(slices.Clone(l.Removed), ofA)
	return l
}
