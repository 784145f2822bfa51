package op

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that change only the shape or the order of dimensions.

// reshape takes the shape from input 1, or else from its options.
var reshape = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		in := n.shape(0)
		return n.filled(n.reshapedTo(), product(in))
	}),
	// Leading dimensions that are unchanged keep their positions.
	reads: reader{Same, func(n node, output int) []Region {
		r := n.readWhole(0)
		for i := range r {
			if r[i] = n.along(0, i, i)[i]; r[i].Pattern() != Same {
				break
			}
		}
		r.digits(n.output(output).Shape)
		return []Region{r}
	}},
}

// digits sets the axes that keep their positions in an output with the same elements in the same
// order. An index along an axis is a digit of an element's number: it is the same for an axis of
// the output with as many elements, and as many elements after it.
func (r Region) digits(out []int32) {
	after := int64(1)
	for i := len(r) - 1; i >= 0 && r[i].In != Open && after != math.MaxInt64; i-- {
		rest := int64(1)
		for of := len(out) - 1; of >= 0 && rest <= after; of-- {
			if rest == after && r[i].In > 1 && r[i].In == int64(out[of]) {
				r[i] = same(of, r[i].In)
			}
			rest = times(rest, int64(max(out[of], 0)))
		}
		after = times(after, r[i].In)
	}
}

// reshapedTo returns the requested shape. Old converters write 0 for a scalar.
func (n node) reshapedTo() []int64 {
	if t := n.input(1); t != nil && len(t.Shape) == 1 && t.Type == schema.TensorTypeINT32 {
		return n.ints(1)
	}
	var o schema.ReshapeOptions
	n.options(schema.BuiltinOptionsReshapeOptions, &o)
	if o.NewShapeLength() > maxRank {
		n.fail("it makes %d dimensions", o.NewShapeLength())
	}
	var shape []int64
	for i := range o.NewShapeLength() {
		shape = append(shape, int64(o.NewShape(i)))
	}
	if len(shape) == 1 && shape[0] == 0 {
		return nil
	}
	return shape
}

// filled returns the requested shape with a dimension of -1 inferred from the number of
// elements.
func (n node) filled(asked []int64, elements int64) []int64 {
	shape := slices.Clone(asked)
	if i := slices.Index(shape, -1); i >= 0 {
		shape[i] = 1
		if rest := product(shape); rest > 0 && elements%rest == 0 {
			shape[i] = elements / rest
		}
	}
	if slices.ContainsFunc(shape, func(d int64) bool { return d < 0 }) || product(shape) != elements {
		n.fail("%d elements do not fill the shape %v", elements, asked)
	}
	return shape
}

// product multiplies non-negative dimensions and saturates.
func product(shape []int64) int64 { return times(shape...) }

// bitcast keeps the elements if the types have the same width, the only case in real files.
var bitcast = facts{arity: 1, shapes: single(func(n node) []int64 {
	in, out := n.shape(0), n.output(0)
	if out == nil || elementBits(n.input(0)) != elementBits(out) {
		n.fail("it changes the width of the elements")
	}
	return in
}), reads: reader{Same, func(n node, output int) []Region {
	if elementBits(n.input(0)) != elementBits(n.output(output)) {
		n.fail("it changes the width of the elements")
	}
	return n.inPlace(output)
}}}

// expandDims adds a dimension; squeeze removes dimensions of 1.
var (
	expandDims = facts{
		params: []int{1},
		shapes: single(func(n node) []int64 {
			in := n.shape(0)
			return slices.Insert(in, n.axis(n.number(1), len(in)+1), 1)
		}),
		reads: reader{Same, func(n node, _ int) []Region {
			return []Region{n.except(0, []int{n.axis(n.number(1), len(n.extents(0))+1)})}
		}},
	}
	squeeze = facts{
		shapes: single(func(n node) []int64 {
			in, gone := n.shape(0), n.squeezed()
			var out []int64
			for i, d := range in {
				switch {
				case !gone[i]:
					out = append(out, d)
				case d != 1:
					n.fail("dimension %d of %v is not 1", i, in)
				}
			}
			return out
		}),
		reads: reader{Same, func(n node, _ int) []Region {
			r, of := n.readWhole(0), 0
			for i, gone := range n.squeezed() {
				if !gone {
					r[i] = same(of, r[i].In)
					of++
				}
			}
			return []Region{r}
		}},
	}
)

// except reads an input that has the dimensions of the output except for the added ones.
func (n node) except(position int, added []int) Region {
	r, of := n.readWhole(position), 0
	for i := range r {
		for slices.Contains(added, of) {
			of++
		}
		r[i] = same(of, r[i].In)
		of++
	}
	return r
}

// squeezed returns the dimensions that SQUEEZE removes: the named ones, or all of 1.
func (n node) squeezed() []bool {
	in := n.shape(0)
	var o schema.SqueezeOptions
	gone := make([]bool, len(in))
	if !n.op.Options(schema.BuiltinOptionsSqueezeOptions, &o) || o.SqueezeDimsLength() == 0 {
		for i, d := range in {
			gone[i] = d == 1
		}
		return gone
	}
	for i := range o.SqueezeDimsLength() {
		gone[n.axis(int64(o.SqueezeDims(i)), len(in))] = true
	}
	return gone
}

// elementBits returns the bits per element of a tensor, 0 for nil.
func elementBits(t *tflite.Tensor) int {
	if t == nil {
		return 0
	}
	return tflite.ElementBits(t.Type)
}
