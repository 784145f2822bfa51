package op

import (
	"math/bits"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Resize is the sampling rule of RESIZE_NEAREST_NEIGHBOR or RESIZE_BILINEAR.
type Resize struct {
	Bilinear, AlignCorners, HalfPixelCenters bool
}

// ResizeOf returns the sampling rule of an operator: false for other operators, and without
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

// Along returns the elements of an input of in elements that an output of out elements reads,
// along the height (0) or the width (1). exact means that the input is enlarged by an integer
// factor, the axis' Scale, and that kernels, which compute in floats or in 10-bit fractions,
// read exactly these elements, in every tile as in the whole image. Otherwise the axis has a
// margin on each side for the rounding errors of kernels.
func (r Resize) Along(axis int, in, out int64) (a Axis, exact bool) {
	axis++ // skip the batch
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

// maxResized bounds sizes, so that their products do not overflow.
const maxResized = 1 << 30

// enlarged maps of output elements to steps input elements; it is exact if of is a multiple of
// steps.
func enlarged(axis int, in, steps, of int64) (a Axis, exact bool) {
	if steps <= 0 || of%steps != 0 || of/steps < 1 || of > maxExact {
		return whole(in), false
	}
	return Axis{Of: axis, In: in, Stride: 1, Scale: of / steps}, true
}

// blurred is an axis of any factor, with a margin of two elements on each side, plus the error
// of a step rounded to 10 bits.
func (r Resize) blurred(axis int, in, out int64) Axis {
	num, den := in, out
	if r.AlignCorners && out > 1 {
		num, den = in-1, out-1
	}
	spare := (2 + out>>10) * den
	return Axis{Of: axis, In: in, Stride: num, Before: spare, Reach: 2*spare + num, Scale: den}
}

// maxExact is the size up to which a float32 holds a position exactly, with spare bits for its
// fraction.
const maxExact = 1 << 16

// stepsWhole reports whether the step between elements is the same wherever an image is cut,
// and divides the distance of two input elements: powers of two, both for floats and for the 10
// bits of integer kernels.
func stepsWhole(factor int64) bool { return bits.OnesCount64(uint64(factor)) == 1 && factor <= 1<<10 }

// repeatsExactly reports whether float kernels repeat each input element exactly out/in times,
// which then holds in every tile.
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

// resize has the height and width of the output in input 1.
var resize = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
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
