package op

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Shapes derives the shapes of an operator's outputs, in elements, from the shapes of its
// inputs, its options and its constant parameters ([Parameters]): one per output, as LiteRT's
// kernels compute them. The output shapes in the file are ignored. s may be a copy of the
// model's subgraph with other shapes.
//
// The error, a [*ShapeError], reports missing or contradictory information: an unknown
// dimension or rank, a shape computed at run time, an output size that depends on values, an
// operator without a formula, or more elements than an int64 counts.
func Shapes(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) ([][]int32, error) {
	return newNode(m, s, o).allShapes()
}

// A ShapeError is the reason why output shapes are unknown.
type ShapeError struct {
	Subgraph, Operator int
	// Name is the operator's name, such as "CONV_2D".
	Name   string
	Reason string
	// Contradiction reports that shapes, options and constants of the operator contradict each
	// other. Otherwise, the file lacks information that the shapes depend on.
	Contradiction bool
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("the shapes that operator %d:%d %s makes are not known: %s", e.Subgraph, e.Operator, e.Name, e.Reason)
}

// allShapes is Shapes.
func (n node) allShapes() ([][]int32, error) {
	shapes, why := n.derive()
	if why != nil {
		return nil, &ShapeError{Subgraph: n.sub.Index, Operator: n.op.Index, Name: n.op.Name, Reason: why.reason, Contradiction: !why.lacking}
	}
	return shapes, nil
}

// derive returns the shapes of the outputs, or the reason why they are unknown.
func (n node) derive() (list [][]int32, why *failure) {
	why = attempt(func() {
		if n.shapes == nil {
			n.lack("no formula is known for operators of this kind")
		}
		shapes := n.shapes(n)
		n.checkOutputs(len(shapes))
		for _, shape := range shapes {
			list = append(list, n.sized(shape))
		}
	})
	if why != nil {
		list = nil
	}
	return list, why
}

// checkOutputs fails unless the operator has a number of outputs.
func (n node) checkOutputs(count int) {
	if len(n.op.Outputs) != count {
		n.fail("it has %d outputs, not %d", len(n.op.Outputs), count)
	}
}

// sized converts a shape to int32.
func (n node) sized(shape []int64) []int32 {
	dims := make([]int32, len(shape))
	for i, d := range shape {
		if d < 0 || d > math.MaxInt32 || len(shape) > maxRank {
			n.fail("its output would have the shape %v", shape)
		}
		dims[i] = int32(d)
	}
	if _, ok := (&tflite.Tensor{Shape: dims}).Elements(); !ok {
		n.fail("its output would have the shape %v, more elements than can be counted", shape)
	}
	return dims
}

// single adapts a formula for a single output.
//
//go:noinline
func single(shape func(node) []int64) func(node) [][]int64 {
	return func(n node) [][]int64 { return [][]int64{shape(n)} }
}

// like returns a single output with the shape of an input.
func like(position int) func(node) [][]int64 {
	return single(func(n node) []int64 { return n.shape(position) })
}

// scalars returns count scalar outputs.
func scalars(count int) func(node) [][]int64 {
	return func(node) [][]int64 { return make([][]int64, count) }
}

// joined concatenates parts of a shape.
func joined(parts ...[]int64) []int64 {
	shape := []int64{}
	for _, p := range parts {
		shape = append(shape, p...)
	}
	return shape
}

// repeated returns the shapes of count equal outputs.
func repeated(shape []int64, count int) [][]int64 {
	list := make([][]int64, count)
	for i := range list {
		list[i] = shape
	}
	return list
}

// without returns a shape with one dimension removed.
func without(shape []int64, axis int) []int64 { return joined(shape[:axis], shape[axis+1:]) }

// with returns a shape with one dimension replaced.
func with(shape []int64, axis int, d int64) []int64 {
	shape = slices.Clone(shape)
	shape[axis] = d
	return shape
}
