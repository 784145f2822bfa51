package tiling

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Cut says along which axis outputs are cut.
type Cut string

const (
	// Rows: a tile is some whole rows, all columns and channels. It is what an empty Cut means.
	Rows Cut = "rows"
	// Pixels: a tile is some pixels of one row, with all channels.
	Pixels Cut = "pixels"
)

// What else a tile may be: see [Run.Tile].
const (
	// Whole: the operator is computed in one step.
	Whole Cut = "whole"
	// Channels: a tile is some channels of one row, or of one pixel with [Pixels], because
	// all of its channels together do not fit.
	Channels Cut = "channels"
	// Own: the tiles are those of [Options.Given].
	Own Cut = "own"
)

// Options say how a model is cut.
type Options struct {
	// OnChip is the size of the memory on chip in bytes. It holds what one step reads and
	// writes: parts of the inputs, of the output, and of the weights.
	OnChip int64
	// Cut is how operators are cut, and Most how many rows or pixels a tile may have; zero
	// stands for as many as fit.
	Cut  Cut
	Most int64
	// Cascade is how many operators a cascade may have; below two there are none.
	Cascade int
	// Semantics says when within a step bytes are in use.
	Semantics lifetime.Semantics
	// Align is what offsets of tensors must be multiples of, in bytes.
	Align int64
	// MaxAccesses is how many accesses the schedule may have: beyond that there is an [*Error]. Zero
	// stands for the constant of this name, and so does any larger number.
	MaxAccesses int
	// Given, when set, has tiles that are not to be derived, and all cascades that there are.
	Given *Given
}

// Given is tiles that somebody has chosen.
type Given struct {
	Tensors  []GivenTensor
	Cascades []GivenCascade
}

// A GivenTensor says how an operator makes one of its outputs: Most rows or pixels at a time,
// by Cut, or, where Cut is [Own], by tiles, each in a step of its own.
type GivenTensor struct {
	// Tensor is the tensor's ID, "SUBGRAPH:TENSOR".
	Tensor string
	Cut    Cut
	Most   int64
	Tiles  []GivenTile
}

// A GivenTile is a box of elements: its first one on each axis, and how many it has there.
type GivenTile struct{ Offset, Size []int64 }

// A GivenCascade joins operators, from First to Last inclusive, by their indexes. Rows is how
// many rows of the last one's output a stripe has; zero stands for as many as fit.
type GivenCascade struct {
	First, Last int
	Rows        int64
}

// A SizeError says that the memory on chip is too small for one tile of an operator.
type SizeError struct {
	// Operator is its index, and Name its kind. Last is the last operator of a given cascade,
	// Operator elsewhere.
	Operator, Last int
	Name           string
	// OnChip is the size that was asked for, and Least the least one that would do for this
	// operator, in bytes.
	OnChip, Least int64
}

// Error names the operator and the sizes.
func (e *SizeError) Error() string {
	what := fmt.Sprintf("one tile of operator %d (%s)", e.Operator, e.Name)
	if e.Last > e.Operator {
		what = fmt.Sprintf("one stripe of operators %d to %d", e.Operator, e.Last)
	}
	return fmt.Sprintf("%s needs %s on chip, and there are %s", what, units.ExactBytes(e.Least), units.ExactBytes(e.OnChip))
}

// An Error says which place of a model, or of given tiles, makes no sense.
type Error struct{ Place, Problem string }

// Error returns the place and what is wrong there.
func (e *Error) Error() string { return e.Place + ": " + e.Problem }

func wrong(place, format string, args ...any) *Error {
	return &Error{place, fmt.Sprintf(format, args...)}
}

// MaxAccesses is the most accesses that any schedule has: a model of a few hundred bytes may have
// tensors of any size, and each access takes about 150 B until there is a plan.
const MaxAccesses = 1 << 20
