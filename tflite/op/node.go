package op

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A node is an operator and the subgraph of its tensors. Its methods fail with [node.lack] if
// the file lacks what they return, and with [node.fail] if the file contradicts itself.
type node struct {
	facts
	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
	// known holds the values of non-constant tensors that are known before a run, by index.
	known map[int][]int64
}

func newNode(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) node {
	return node{facts: lookup(m, o), model: m, sub: s, op: o}
}

// A failure is the reason why a fact of an operator is unknown: the panic value of [node.fail]
// and [node.lack].
type failure struct {
	reason string
	// lacking reports that the file lacks information; otherwise, it contradicts itself.
	lacking bool
}

// fail panics because the file contradicts itself. It must run below [attempt].
//
//go:noinline
func (n node) fail(format string, args ...any) { panic(&failure{reason: fmt.Sprintf(format, args...)}) }

// lack is fail for missing information.
//
//go:noinline
func (n node) lack(format string, args ...any) {
	panic(&failure{reason: fmt.Sprintf(format, args...), lacking: true})
}

// attempt calls f and returns the reason of its failure, or nil.
func attempt(f func()) (why *failure) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *failure:
			why = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// input returns an input, or nil if absent.
func (n node) input(position int) *tflite.Tensor { return n.sub.Operand(n.op.Inputs, position) }

// output returns an output, or nil if absent.
func (n node) output(position int) *tflite.Tensor { return n.sub.Operand(n.op.Outputs, position) }

// maxRank is the largest supported rank, more than any kernel supports.
const maxRank = 16

// hasRank reports whether a tensor's rank is known. Old files do not distinguish a scalar from
// an unknown shape, except for constants.
func hasRank(t *tflite.Tensor) bool {
	return t != nil && len(t.Shape) <= maxRank && (len(t.Shape) > 0 || t.HasRank || t.Constant)
}

// shape returns the shape of an input; it must be fully known.
func (n node) shape(position int) []int64 {
	t := n.input(position)
	switch {
	case t == nil:
		n.lack("input %d is missing", position)
	case !hasRank(t):
		n.lack("the shape of its input %d is not known", position)
	}
	shape := make([]int64, len(t.Shape))
	for i, d := range t.Shape {
		if d < 0 {
			n.lack("dimension %d of its input %d is not known", i, position)
		}
		shape[i] = int64(d)
	}
	return shape
}

// shapeOf is shape for an input of the given rank.
func (n node) shapeOf(position, rank int) []int64 {
	shape := n.shape(position)
	if len(shape) != rank {
		n.fail("its input %d has the shape %v, not %d dimensions", position, shape, rank)
	}
	return shape
}

// ranked is shape for an input of at least the given rank.
func (n node) ranked(position, least int) []int64 {
	shape := n.shape(position)
	if len(shape) < least {
		n.fail("its input %d has the shape %v, less than %d dimensions", position, shape, least)
	}
	return shape
}

// ints returns the values of an input that is constant or known before a run. The input must be
// one of the kind's parameters, so that shapes depend on no other constants.
func (n node) ints(position int) []int64 {
	if !slices.Contains(n.params, position) {
		panic(fmt.Sprintf("input %d of %s is not one of the parameters", position, n.op.Name))
	}
	list := n.numbers(position)
	if !n.input(position).Constant && (slices.Contains(list, noFloor) || slices.Contains(list, noCeiling)) {
		n.lack("its input %d is computed from data", position)
	}
	return list
}

// number returns the value of a constant input with one element.
func (n node) number(position int) int64 {
	list := n.ints(position)
	if len(list) != 1 {
		n.fail("its input %d has %d numbers, not one", position, len(list))
	}
	return list[0]
}

// smallNumber returns a number whose product with another such number cannot overflow.
//
//go:noinline
func (n node) smallNumber(x int64) int64 {
	if x < math.MinInt32 || x > math.MaxInt32 {
		n.fail("%d is larger than any size", x)
	}
	return x
}

// axis returns the dimension for a number, counted from the last one if negative.
func (n node) axis(number int64, rank int) int {
	if number < 0 {
		number += int64(rank)
	}
	if number < 0 || number >= int64(rank) {
		n.fail("there is no dimension %d of %d", number, rank)
	}
	return int(number)
}

// axes marks the dimensions that the numbers name.
func (n node) axes(numbers []int64, rank int) []bool {
	named := make([]bool, rank)
	for _, number := range numbers {
		named[n.axis(number, rank)] = true
	}
	return named
}

// options points into at the operator's options.
func (n node) options(tag schema.BuiltinOptions, into flatbuffers.FlatBuffer) {
	if !n.op.Options(tag, into) {
		n.lack("it has no options")
	}
}

// options2 is options for the newest operators.
func (n node) options2(tag schema.BuiltinOptions2, into flatbuffers.FlatBuffer) {
	if !n.op.Options2(tag, into) {
		n.lack("it has no options")
	}
}
