package op

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// The evaluations of the operators.

// sameOrder returns the values of the first input, in the same order.
func sameOrder(n node, _ int) []int64 { return n.numbers(0) }

// shapeValues returns the shape of the first input.
func shapeValues(n node, _ int) []int64 { return n.shape(0) }

// rankValues returns the number of dimensions of the first input.
func rankValues(n node, _ int) []int64 { return []int64{int64(len(n.shape(0)))} }

// packed joins the inputs along a new axis.
func packed(n node, _ int) []int64 { return n.joinValues(n.packAxis(len(n.shape(0)))) }

// joinedValues joins the inputs along an axis.
func joinedValues(n node, _ int) []int64 {
	return n.joinValues(n.axis(n.concatAxis(), len(n.shape(0))))
}

// filled repeats the second input.
func filled(n node, output int) (list []int64) {
	for range n.outputElements(output) {
		list = append(list, n.numbers(1)...)
	}
	return list
}

// counted returns an arithmetic sequence.
func counted(n node, output int) (list []int64) {
	for i := range n.outputElements(output) {
		list = append(list, n.smallNumber(n.number(0))+i*n.smallNumber(n.number(2)))
	}
	return list
}

// spreadValues returns the shape to which two shapes are broadcast.
func spreadValues(n node, _ int) []int64 { return n.spread(n.numbers(0), n.numbers(1)) }

// taken copies one value of an input per output element, the one in its region.
//
//go:noinline
func taken(position int) evaluation {
	return func(n node, output int) (list []int64) {
		n.eachRead(output, position, func(read []int64) {
			if len(read) != 1 {
				n.fail("it is not made of single elements")
			}
			list = append(list, read[0])
		})
		return list
	}
}

// reduced combines all values in the region of each output element.
//
//go:noinline
func reduced(f func(a, b int64) int64) evaluation {
	return func(n node, output int) (list []int64) {
		n.eachRead(output, 0, func(read []int64) {
			if len(read) == 0 {
				n.fail("it reduces no elements")
			}
			x := read[0]
			for _, y := range read[1:] {
				x = f(n.smallNumber(x), n.smallNumber(y))
			}
			list = append(list, x)
		})
		return list
	}
}

// ofPairs combines the values of two inputs, broadcasting dimensions of 1.
//
//go:noinline
func ofPairs(f func(a, b int64) int64) evaluation {
	return func(n node, output int) []int64 {
		if n.activated() {
			n.fail("it has an activation")
		}
		list, others := taken(0)(n, output), taken(1)(n, output)
		for i := range list {
			list[i] = f(n.smallNumber(list[i]), n.smallNumber(others[i]))
		}
		return list
	}
}

// divided is ofPairs with a non-zero second value.
func divided(f func(a, b int64) int64) evaluation {
	return func(n node, output int) []int64 {
		if slices.Contains(n.numbers(1), 0) {
			n.fail("it divides by 0")
		}
		return ofPairs(f)(n, output)
	}
}

// floored divides and rounds down.
func floored(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// gathered takes the elements along a dimension, indexed by the second input.
func gathered(n node, output int) (list []int64) {
	if n.outputElements(output) == 0 {
		return nil
	}
	in, numbers := n.shape(0), n.numbers(0)
	axis, batches := n.gathered(len(in), len(n.shape(1)))
	if batches > 0 {
		n.fail("its inputs pair up")
	}
	each := product(in[axis+1:])
	for before := range product(in[:axis]) {
		for _, place := range n.numbers(1) {
			if place < 0 || place >= in[axis] {
				n.fail("element %d of %d is taken", place, in[axis])
			}
			from := (before*in[axis] + place) * each
			list = append(list, numbers[from:from+each]...)
		}
	}
	return list
}

// joinValues joins its inputs along a dimension, which may be a new one.
func (n node) joinValues(axis int) (list []int64) {
	if n.activated() {
		n.fail("it has an activation")
	}
	if n.outputElements(0) == 0 {
		return nil
	}
	for before := range product(n.shape(0)[:axis]) {
		for position := range n.op.Inputs {
			numbers, each := n.numbers(position), product(n.ranked(position, axis)[axis:])
			if (before+1)*each > int64(len(numbers)) {
				n.fail("its inputs do not go together")
			}
			list = append(list, numbers[before*each:][:each]...)
		}
	}
	return list
}

// activated reports whether an operator has a fused activation.
func (n node) activated() bool {
	for tag, options := range map[schema.BuiltinOptions]interface {
		flatbuffers.FlatBuffer
		FusedActivationFunction() schema.ActivationFunctionType
	}{
		schema.BuiltinOptionsAddOptions:           &schema.AddOptions{},
		schema.BuiltinOptionsSubOptions:           &schema.SubOptions{},
		schema.BuiltinOptionsMulOptions:           &schema.MulOptions{},
		schema.BuiltinOptionsDivOptions:           &schema.DivOptions{},
		schema.BuiltinOptionsConcatenationOptions: &schema.ConcatenationOptions{},
	} {
		if n.op.Options(tag, options) && options.FusedActivationFunction() != schema.ActivationFunctionTypeNONE {
			return true
		}
	}
	return false
}

// eachRead calls f for each element of an output, in file order, with the values of the input
// that the element depends on.
func (n node) eachRead(output, position int, f func(read []int64)) {
	if n.reads.of == nil {
		panic("op: " + n.op.Name + " has no regions")
	}
	shape, numbers, out := n.shape(position), n.numbers(position), n.output(output).Shape
	if len(numbers) > maxNumbers {
		n.fail("its input %d has %d elements", position, len(numbers))
	}
	region := n.reads.of(n, output)[position]
	box := make(Box, len(out))
	for k := range n.outputElements(output) {
		for i := len(out) - 1; i >= 0; i-- {
			d := int64(out[i])
			box[i] = Span{k % d, k%d + 1}
			k /= d
		}
		f(within(region.Reads(box), shape, numbers))
	}
}

// within returns the values in a box of a tensor.
func within(box Box, shape, numbers []int64) []int64 {
	if len(box) == 0 || len(numbers) == 0 { // without elements, the other dimensions may have any size
		return numbers
	}
	each := product(shape[1:])
	var list []int64
	for k := box[0].From; k < box[0].To; k++ {
		list = append(list, within(box[1:], shape[1:], numbers[k*each:(k+1)*each])...)
	}
	return list
}
