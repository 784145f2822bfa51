package split

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// maxOperands is the maximum total number of inputs and outputs of a fragment's operators.
const maxOperands = 1 << 20

// Cut splits a stage into tiles. base is the index of the first added tensor, at least the
// number of tensors of subgraph 0. Cut returns an [*UncuttableError] if an operator cannot be
// split, or unless exactly one tensor leaves the stage. Several tensors may enter; they are
// read whole.
func Cut(m *tflite.Model, s Stage, base int) (*Fragment, error) {
	cut := cutSpatial
	if s.Channels > 1 {
		cut = cutChannels
	}
	return cut(m, s, base)
}

// cutSpatial is [Cut] along the height and the width.
func cutSpatial(m *tflite.Model, s Stage, base int) (*Fragment, error) {
	g, err := newGraph(m, s)
	if err != nil {
		return nil, err
	}
	if err := g.check(base); err != nil {
		return nil, err
	}
	e := &emitter{graph: g, base: base, constants: map[string]int{}, wide: map[widenedFilter]int{}}
	for _, n := range g.nodes {
		if n.operator != nil {
			e.OwnMACs = saturatingAdd(e.OwnMACs, n.own)
		}
	}
	e.reserve(max(s.Tiles, s.Rows*s.Columns) * len(g.nodes))
	e.addWhole()
	switch {
	case s.Rows == 1 && s.Columns == 1 && s.Tiles < 2:
		e.keepAll()
	case s.Mode == Keep:
		e.keep()
	default:
		e.recompute()
	}
	return e.finished(), nil
}

// reserve allocates room for the tiles of operators and as many slices, up to a limit.
func (e *emitter) reserve(tiles int) {
	n := 2 * min(tiles, 1<<12)
	e.Operators, e.Tensors, e.tiles = make([]edit.Operator, 0, n), make([]edit.Tensor, 0, n), make([]tile, 0, n)
}

// addWhole adds the operators that depend only on constants.
func (e *emitter) addWhole() {
	for i := e.stage.First; i <= e.stage.Last; i++ {
		if e.whole[i] {
			e.add(edit.Operator{Kind: edit.Keep, Of: i})
		}
	}
}

// check checks the stage's parameters.
func (g *graph) check(base int) error {
	s, out := g.stage, &g.values[g.out]
	why := ""
	switch {
	case base < len(g.sub.Tensors):
		why = fmt.Sprintf("the first added tensor cannot have index %d: there are %d tensors", base, len(g.sub.Tensors))
	case s.Mode != Recompute && s.Mode != Keep:
		why = fmt.Sprintf("there is no %s", s.Mode)
	case s.Channels < 0:
		why = fmt.Sprintf("there cannot be %d channel slices", s.Channels)
	case s.Rows < 1 || s.Columns < 1 || int64(s.Rows) > out.h || int64(s.Columns) > out.w:
		why = fmt.Sprintf("an output of %d rows and %d columns cannot be cut into %d times %d", out.h, out.w, s.Rows, s.Columns)
	case s.Mode == Keep && s.Columns > 1:
		why = "rows are kept for strips of the whole width only"
	case s.Tiles < 0:
		why = fmt.Sprintf("there cannot be %d tiles", s.Tiles)
	case s.Tiles > 1 && (s.Rows != 1 || s.Columns != 1 || s.Mode != Recompute):
		why = "strips of different numbers of tiles go with one row, one column and mode recompute only"
	case s.Tiles > 1 && int64(s.Tiles) > saturatingMul(out.h, out.w):
		why = fmt.Sprintf("an output of %d rows and %d columns cannot be cut into %d tiles", out.h, out.w, s.Tiles)
	case s.ChannelStep != 0:
		why = "a step of channels goes with slices of channels only"
	case int64(s.Lean) > out.h || int64(s.Lean) < -out.h:
		why = fmt.Sprintf("the edges between strips of an output of %d rows cannot be moved by %d", out.h, s.Lean)
	case saturatingMul(int64(s.Rows), int64(s.Columns), int64(g.operands())) > maxOperands || saturatingMul(int64(s.Tiles), int64(g.operands())) > maxOperands:
		why = fmt.Sprintf("the result would have operators with more than %d inputs and outputs", maxOperands)
	}
	if why == "" {
		return nil
	}
	return &UncuttableError{Operator: -1, Reason: why}
}

// operands returns the total number of inputs and outputs of the nodes.
func (g *graph) operands() int {
	count := 0
	for _, n := range g.nodes {
		count += len(n.ins) + 1
		if n.operator != nil {
			count += len(n.Inputs)
		}
	}
	return count
}

// keepAll keeps the stage unchanged, in one tile.
func (e *emitter) keepAll() {
	e.Operators = nil
	for i := e.stage.First; i <= e.stage.Last; i++ {
		e.add(edit.Operator{Kind: edit.Keep, Of: i})
	}
	e.MACs = e.OwnMACs
}

// saturatingAdd adds non-negative sizes, saturating at math.MaxInt64.
func saturatingAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
