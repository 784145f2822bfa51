package op

import (
	"math/bits"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Resize says how RESIZE_NEAREST_NEIGHBOR or RESIZE_BILINEAR find the elements of the input
// that an element of the output is made of.
type Resize struct {
	Bilinear, AlignCorners, HalfPixelCenters bool
}

// ResizeOf returns how an operator resizes: false for other operators, and where it has no
// options.
func ResizeOf(m *tflite.Model, o *tflite.Operator) (r Resize, ok bool) {
	var nearest schema.ResizeNearestNeighborOptions
	var bilinear schema.ResizeBilinearOptions
	switch code := m.OperatorCodes[o.Code].Builtin; {
	case code == schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR && o.Options(schema.BuiltinOptionsResizeNearestNeighborOptions, &nearest):
		return Resize{false, nearest.AlignCorners(), nearest.HalfPixelCenters()}, true
	case code == schema.BuiltinOperatorRESIZE_BILINEAR && o.Options(schema.BuiltinOptionsResizeBilinearOptions, &bilinear):
		return Resize{true, bilinear.AlignCorners(), bilinear.HalfPixelCenters()}, true
	}
	return Resize{}, false
}

// Along returns which elements of in an output of out takes along the height (0) or the width
// (1). exact says that the input is enlarged by a whole factor, which is the axis' Scale, and
// that kernels, which calculate with floats or with fractions of 10 bits, find just these
// places, in every part of the picture as in the whole. Otherwise there are some more elements
// on each side, by which kernels may miss.
func (r Resize) Along(axis int, in, out int64) (a Axis, exact bool) {
	axis++ // behind the batch
	switch {
	case in <= 0 || out <= 0 || in > maxResized || out > maxResized || r.AlignCorners && r.HalfPixelCenters:
		return whole(in), false
	case r.Bilinear && r.AlignCorners:
		a, exact = enlarged(axis, in, in-1, out-1)
		a.Reach = a.Scale - 1
		exact = exact && stepsWhole(a.Scale)
	case r.Bilinear && r.HalfPixelCenters:
		a, exact = enlarged(axis, in, in, out)
		a.Before, a.Reach = a.Scale, 2*a.Scale
		exact = exact && stepsWhole(a.Scale)
	case r.Bilinear:
		a, exact = enlarged(axis, in, in, out)
		a.Reach = a.Scale
		exact = exact && stepsWhole(a.Scale)
	case r.AlignCorners:
		a = whole(in)
	default:
		a, exact = enlarged(axis, in, in, out)
		exact = exact && repeatsExactly(in, out, r.HalfPixelCenters)
	}
	if !exact && out <= maxExact {
		a = r.blurred(axis, in, out)
	} else if !exact {
		a = whole(in)
	}
	return a, exact
}

// maxResized bounds sizes, so that their products are numbers.
const maxResized = 1 << 30

// enlarged has steps elements of the input for so many of the output: exact where that is a
// whole number of them each.
func enlarged(axis int, in, steps, of int64) (a Axis, exact bool) {
	if steps <= 0 || of%steps != 0 || of/steps < 1 || of > maxExact {
		return whole(in), false
	}
	return Axis{Of: axis, In: in, Stride: 1, Scale: of / steps}, true
}

// blurred is an axis of any factor, with two elements to spare on each side, and as many more
// as a step that is rounded to 10 bits leads astray.
func (r Resize) blurred(axis int, in, out int64) Axis {
	num, den := in, out
	if r.AlignCorners && out > 1 {
		num, den = in-1, out-1
	}
	spare := (2 + out>>10) * den
	return Axis{Of: axis, In: in, Stride: num, Before: spare, Reach: 2*spare + num, Scale: den}
}

// maxExact is up to which size positions are numbers that a float of 32 bits holds, with
// bits to spare for their fractions.
const maxExact = 1 << 16

// stepsWhole reports whether a step from element to element is the same number wherever a
// picture is cut, and a whole number of steps leads from an element of the input to the next:
// powers of two, both for floats and for the 10 bits of integer kernels.
func stepsWhole(factor int64) bool { return bits.OnesCount64(uint64(factor)) == 1 && factor <= 1<<10 }

// repeatsExactly reports whether each row of an enlarged picture is the one that stands for
// it, as kernels calculate with floats: then it is so in every piece.
func repeatsExactly(in, out int64, half bool) bool {
	scale, offset := float32(in)/float32(out), float32(0)
	if half {
		offset = 0.5
	}
	for y := range out {
		if int64((float32(y)+offset)*scale) != y/(out/in) {
			return false
		}
	}
	return true
}

// resize makes pictures of the size that input 1 names: height and width.
var resize = facts{
	params: []int{1},
	shapes: alone(func(n node) []int64 {
		in, size := n.shapeOf(0, 4), n.ints(1)
		if len(size) != 2 {
			n.fail("its size has %d numbers, not two", len(size))
		}
		return []int64{in[0], size[0], size[1], in[3]}
	}),
	reads: reader{Scaled, func(n node, output int) []Region {
		in, out := n.shapeOf(0, 4), n.madeOf(output, 4)
		how, ok := ResizeOf(n.model, n.op)
		if !ok {
			n.lack("it has no options")
		}
		y, _ := how.Along(0, in[1], out[1])
		x, _ := how.Along(1, in[2], out[2])
		return []Region{{same(0, in[0]), y, x, same(3, in[3])}}
	}},
}
