package split

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// A Mode says what happens to rows and columns that two neighbouring pieces need.
type Mode int

const (
	// Recompute computes them once for each piece.
	Recompute Mode = iota
	// Keep keeps them from one strip to the next: nothing is computed twice. It is for
	// strips of the whole width.
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

// A Stage is a run of operators of subgraph 0 that is cut.
type Stage struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Rows and Columns are the numbers of pieces of the stage's output along its height
	// and its width, at least 1 and at most as many as it has rows and columns. More than
	// one column goes with Recompute alone. Pieces need not be of one size: their edges
	// are where the most bytes in use at once are fewest, what was made before and what
	// is yet to be read included.
	Rows, Columns int
	// Tiles is how many tiles of different sizes the stage's output is cut into, at most; 0 and 1
	// stand for none. It goes with one row, one column and Recompute. The output is cut into
	// strips, and each of them into a number of tiles of its own, so that the most bytes in use at
	// once are fewest: for the same memory there are fewer tiles than with Rows and Columns.
	Tiles int
	// Alias is which tensors will share memory, "" for none: for the sizes of pieces alone.
	Alias rules.Alias
	Mode  Mode
	// Channels is the number of pieces of the stage's output along its channels, its last
	// dimension; 0 and 1 stand for none. It goes with one row, one column and Recompute.
	// Weights are cut along with the channels; what convolutions and fully connected
	// layers read stays whole, so they can only be at the front of the stage. Nothing is
	// computed twice. The pieces are as even as they can be: some channels stay together,
	// those that a depthwise convolution makes of one, 8 of a depthwise convolution and 16
	// of a MEAN of INT8.
	// (The weight slicing of Li et al., "FlexNN: Efficient and Adaptive DNN Inference on
	// Memory-Constrained Edge Devices", 2024, section 3.2; what follows the layer goes
	// into the pieces too.)
	Channels int
	// Carry leaves padding to the convolutions themselves: they get rows and columns to
	// spare, and what is wrong at the edges is cut off. It costs multiply-accumulates and
	// saves the copies that PAD makes, which are often the largest tensors of a stage.
	Carry bool
}

// A Fragment is a stage in pieces.
type Fragment struct {
	// Tensors are added to the subgraph; the first has the index that [Cut] was given.
	Tensors []edit.Tensor
	// Operators take the place of the stage's, in execution order, depth first: all of a
	// piece comes before the next one.
	Operators []edit.Operator
	// MACs and OwnMACs are the multiply-accumulates, as package op counts them, of
	// Operators and of the operators they replace, but for those that only constants lead
	// to, which stay. With Keep they are the same, but for TRANSPOSE_CONV and
	// [Stage.Carry]; with [Stage.Channels] they are the same.
	MACs, OwnMACs int64
	// WeightBytes are about how many bytes the file grows by, with [edit.Apply], for
	// constants in pieces: 16 for each piece, and those that find no place where the whole
	// was. That is the largest piece of a constant that only this stage uses, since each
	// is aligned and has a length in front. It is all pieces of one that something else
	// uses too, an operator outside the stage or another tensor with its buffer: that
	// stays whole.
	WeightBytes int64
	// Shares lists which tensors may lie inside others, by the operators that copy one
	// to the other.
	Shares []Share

	// graph, base and tiles are what [Fragment.Block] is made of: tiles says for each of Tensors of
	// which tensor it is a tile, and where.
	graph *graph
	base  int
	tiles []tile
}

// A Share is a tensor that an operator of a fragment copies, unchanged and in one block,
// into or out of another: strips joined along the height, and strips taken out of a
// tensor, or channels of tensors without rows and columns. When the two lie so that the
// block is in its place, the operator copies onto itself.
type Share struct {
	// Operator is an index into Fragment.Operators.
	Operator int
	// Part lies in Whole, From bytes behind its beginning. Both are tensor indexes.
	Part, Whole int
	From        int64
}

// An UncuttableError says why a stage cannot be cut.
type UncuttableError struct {
	// Operator is the index of the operator that is in the way, -1 when it is none in
	// particular; Name is how the file calls it.
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
