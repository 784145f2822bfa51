package split

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// Mode selects how rows and columns needed by two neighbouring tiles are handled.
type Mode int

const (
	// Recompute computes them once for each tile.
	Recompute Mode = iota
	// Keep keeps them from one strip to the next: nothing is recomputed. It requires strips of
	// the whole width.
	Keep
)

// String returns "recompute" or "keep".
func (m Mode) String() string {
	switch m {
	case Recompute:
		return "recompute"
	case Keep:
		return "keep"
	}
	return fmt.Sprintf("mode %d", int(m))
}

// Stage is a run of operators of subgraph 0 to be tiled.
type Stage struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Rows and Columns are the numbers of tiles of the stage's output along its height and
	// width, or the rows and columns of a tensor that is no image, at least 1 and at most its size. More than one column requires Recompute. Tiles
	// may differ in size: their edges minimise the peak bytes in use, including finished output
	// and input yet to be read.
	Rows, Columns int
	// Tiles is the maximum number of tiles of different sizes into which the stage's output is
	// split; 0 and 1 disable this. It requires one row, one column and Recompute. The output is
	// split into strips, each with its own number of tiles, to minimise the peak bytes in use:
	// the same memory needs fewer tiles than with Rows and Columns.
	Tiles int
	// Lean makes the first strips of the output taller and the last ones lower, or the reverse if it is negative: it moves the
	// lower edge of the first strip by so many rows, that of the last but one by a fraction of them, and those between
	// evenly less, as long as each strip keeps a row. It is at most the height of the output. Zero minimises the estimated
	// peak.
	Lean int
	// Alias is the expected sharing of memory between tensors, "" for none. It only affects
	// tile sizes.
	Alias rules.Alias
	Mode  Mode
	// Channels is the number of slices of the stage's output along its channels, the last
	// dimension; 0 and 1 disable this. It requires one row, one column and Recompute. Weights
	// are sliced along with the channels; inputs of convolutions and fully connected layers
	// stay whole, so these can only be the first operators of the stage. Nothing is recomputed.
	// Slices are as even as possible, but some channels stay together: those that a depthwise
	// convolution computes from one input channel, 8 of a depthwise convolution, and 16 of an
	// INT8 MEAN. (The weight slicing of Li et al., "FlexNN: Efficient and Adaptive DNN
	// Inference on Memory-Constrained Edge Devices", 2024, section 3.2, extended to the
	// operators after the layer.)
	Channels int
	// ChannelStep makes the number of output channels of each slice but the last a multiple of it; 0 and 1 permit any
	// number. It requires Channels.
	ChannelStep int
	// Carry leaves padding to the convolutions themselves: they get extra rows and columns, and
	// wrong values at the edges are cut off. It costs multiply-accumulates and saves the copies
	// made by PAD, often the largest tensors of a stage.
	Carry bool
	// Widen, with Carry, adds a row of zero weights to the filters of depthwise convolutions with INT8
	// weights. Those with a stride then need no extra row. In the others, all wrong rows of a tile
	// follow the correct ones instead of surrounding them.
	Widen bool
}

// Fragment is a tiled stage.
type Fragment struct {
	// Tensors are added to the subgraph; the first has the base index passed to [Cut].
	Tensors []edit.Tensor
	// Operators replace the stage's, in execution order, depth first: all operators of a tile
	// come before the next tile.
	Operators []edit.Operator
	// MACs and OwnMACs are the multiply-accumulates, as package op counts them, of Operators
	// and of the operators they replace. Operators that depend only on constants stay and are
	// not counted. The two are equal with [Stage.Channels], and with Keep except for
	// TRANSPOSE_CONV and [Stage.Carry].
	MACs, OwnMACs int64
	// WeightBytes is the approximate growth of the file, with [edit.Apply], for split
	// constants: 16 bytes for each piece, plus the pieces that do not fit into the space of the
	// whole constant. If only this stage uses the constant, that is the largest piece, since
	// each piece is aligned and follows its length. If an operator outside the stage or another
	// tensor with the same buffer uses the constant, it stays whole and all pieces count.
	WeightBytes int64
	// Shares lists the tensors that may lie inside others, by the operators that copy between
	// them.
	Shares []Share

	// graph, base and tiles are the inputs of [Fragment.Block]; tiles holds the tile that each
	// of Tensors is.
	graph *graph
	base  int
	tiles []tile
}

// Share is a tensor that an operator of a fragment copies, unchanged and contiguous, into or
// out of another: strips joined along the height, strips cut out of a tensor, or channels of
// tensors without rows and columns. If the two are allocated so that the block is already in
// place, the operator copies onto itself.
type Share struct {
	// Operator is an index into Fragment.Operators.
	Operator int
	// Part lies in Whole at offset From, in bytes. Both are tensor indexes.
	Part, Whole int
	From        int64
}

// UncuttableError is the reason why a stage cannot be tiled.
type UncuttableError struct {
	// Operator is the index of the blocking operator, or -1; Name is its name in the file.
	Operator int
	Name     string
	Reason   string
}

func (e *UncuttableError) Error() string {
	if e.Operator < 0 {
		return "cannot be cut: " + e.Reason
	}
	return fmt.Sprintf("operator %d %s cannot be cut: %s", e.Operator, e.Name, e.Reason)
}
