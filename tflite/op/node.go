package op

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A node is an operator with the subgraph that its tensors are of. Those of its methods that
// return what the file may lack fail where it does, by [node.lack], and where it contradicts itself, by [node.fail].
type node struct {
	facts
	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
	// known are the numbers of tensors that are no constants and known all the same, by index.
	known map[int][]int64
}

func newNode(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) node {
	return node{facts: lookup(m, o), model: m, sub: s, op: o}
}

// A failure is why a fact of an operator is not known: what [node.fail] and [node.lack] panic with.
type failure struct {
	reason string
	// lacking says that the file leaves something open; without it, what the file says of the operator
	// contradicts itself.
	lacking bool
}

// fail gives up since the file contradicts itself. Only what runs below [attempt] may call it.
func (n node) fail(format string, args ...any) { panic(&failure{reason: fmt.Sprintf(format, args...)}) }

// lack is fail where the file leaves something open.
func (n node) lack(format string, args ...any) {
	panic(&failure{reason: fmt.Sprintf(format, args...), lacking: true})
}

// attempt calls f, and returns why it failed, nil where it did not.
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

// input returns an input, nil where it is absent.
func (n node) input(position int) *tflite.Tensor { return n.sub.Operand(n.op.Inputs, position) }

// output returns an output, nil where it is absent.
func (n node) output(position int) *tflite.Tensor { return n.sub.Operand(n.op.Outputs, position) }

// maxRank is how many dimensions a tensor may have: more than any kernel takes.
const maxRank = 16

// hasRank reports whether a tensor's rank is known. Old files do not tell a scalar from a
// shape that is not known, unless it is that of a constant.
func hasRank(t *tflite.Tensor) bool {
	return t != nil && len(t.Shape) <= maxRank && (len(t.Shape) > 0 || t.HasRank || t.Constant)
}

// shape returns the shape of an input, all of which must be known.
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

// shapeOf is shape where an input must have so many dimensions.
func (n node) shapeOf(position, rank int) []int64 {
	shape := n.shape(position)
	if len(shape) != rank {
		n.fail("its input %d has the shape %v, not %d dimensions", position, shape, rank)
	}
	return shape
}

// ranked is shape where an input must have at least so many dimensions.
func (n node) ranked(position, least int) []int64 {
	shape := n.shape(position)
	if len(shape) < least {
		n.fail("its input %d has the shape %v, less than %d dimensions", position, shape, least)
	}
	return shape
}

// ints returns the numbers of an input that is a constant, or as good as one. The input must be one of the
// kind's parameters, so that a shape depends on no other constants.
func (n node) ints(position int) []int64 {
	if !slices.Contains(n.params, position) {
		panic(fmt.Sprintf("input %d of %s is not one of the parameters", position, n.op.Name))
	}
	return n.numbers(position)
}

// number returns the one number of an input that is a constant.
func (n node) number(position int) int64 {
	list := n.ints(position)
	if len(list) != 1 {
		n.fail("its input %d has %d numbers, not one", position, len(list))
	}
	return list[0]
}

// small returns a number that no product with another such number overflows.
func (n node) small(x int64) int64 {
	if x < math.MinInt32 || x > math.MaxInt32 {
		n.fail("%d is larger than any size", x)
	}
	return x
}

// axis returns a dimension that a number names: of so many, from the last on where it is
// negative.
func (n node) axis(number int64, rank int) int {
	if number < 0 {
		number += int64(rank)
	}
	if number < 0 || number >= int64(rank) {
		n.fail("there is no dimension %d of %d", number, rank)
	}
	return int(number)
}

// axes returns which dimensions of so many some numbers name.
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

// options2 is options for those of the newest operators.
func (n node) options2(tag schema.BuiltinOptions2, into flatbuffers.FlatBuffer) {
	if !n.op.Options2(tag, into) {
		n.lack("it has no options")
	}
}
