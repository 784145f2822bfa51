package tiling

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Cut is a kind of tiles.
type Cut string

const (
	// Rows are tiles of some whole rows, with all columns and channels. An empty Cut means Rows.
	Rows Cut = "rows"
	// Pixels are tiles of some pixels of one row, with all channels.
	Pixels Cut = "pixels"
)

// Other values of [Run.Tile].
const (
	// Whole is an operator computed in one step.
	Whole Cut = "whole"
	// Channels are tiles of some channels of one row, or with [Pixels] of one pixel, whose channels
	// do not all fit.
	Channels Cut = "channels"
	// Own are the tiles of [Options.Given].
	Own Cut = "own"
)

// Options are the options of [New].
type Options struct {
	// OnChip is the size of the memory on chip, in bytes. It holds the parts of the inputs, outputs and
	// weights of one step.
	OnChip int64
	// Cut is [Rows] or [Pixels], and Most the largest number of them in a tile; zero means as many as
	// fit.
	Cut  Cut
	Most int64
	// Cascade is the largest number of operators in a cascade; below two there are none.
	Cascade   int
	Semantics lifetime.Semantics
	// Align is the alignment of tensors, in bytes.
	Align int64
	// MaxAccesses is the largest number of accesses of a schedule; zero and larger values mean the
	// constant of this name.
	MaxAccesses int
	// Given, if not nil, has chosen tiles, and all cascades.
	Given *Given
}

// Given has chosen tiles and cascades. Other tiles are derived.
type Given struct {
	Tensors  []GivenTensor
	Cascades []GivenCascade
}

// A GivenTensor has the tiles of an output: Most rows or pixels each, by Cut, or Tiles if Cut is [Own].
type GivenTensor struct {
	// Tensor is the tensor's ID, "SUBGRAPH:TENSOR".
	Tensor string
	Cut    Cut
	Most   int64
	Tiles  []GivenTile
}

// A GivenTile is a box of elements: the first element and the number of elements on each axis.
type GivenTile struct{ Offset, Size []int64 }

// A GivenCascade joins the operators First to Last, both inclusive. A stripe has Rows rows of the last
// output; zero means as many as fit.
type GivenCascade struct {
	First, Last int
	Rows        int64
}

// A SizeError is the error of [New] if a tile of an operator does not fit on chip.
type SizeError struct {
	// Operator and Last are indexes, and Name is the kind of the operator. Last equals Operator unless
	// the error is about a given cascade.
	Operator, Last int
	Name           string
	// OnChip is the size of the memory on chip, and Least the size required by this operator, in bytes.
	OnChip, Least int64
}

func (e *SizeError) Error() string {
	what := fmt.Sprintf("one tile of operator %d (%s)", e.Operator, e.Name)
	if e.Last > e.Operator {
		what = fmt.Sprintf("one stripe of operators %d to %d", e.Operator, e.Last)
	}
	return fmt.Sprintf("%s needs %s on chip, and there are %s", what, units.ExactBytes(e.Least), units.ExactBytes(e.OnChip))
}

// An Error describes an invalid place in a model, or in given tiles.
type Error struct{ Place, Problem string }

func (e *Error) Error() string { return e.Place + ": " + e.Problem }

func wrong(place, format string, args ...any) *Error {
	return &Error{place, fmt.Sprintf(format, args...)}
}

// MaxAccesses is the largest number of accesses of any schedule. It bounds the memory of hostile models:
// each access takes about 150 B in planning.
const MaxAccesses = 1 << 20
