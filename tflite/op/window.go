package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Window is what an operator looks through while it slides over the height and the width of
// its input, or, transposed, what it spreads each element over.
type Window struct {
	// Padding is as the file says it, which may be neither SAME nor VALID.
	Padding schema.Padding
	// Kernel, Stride and Dilation are in elements, along the height and along the width. The
	// kernel is 0 where the operator has no filter of rank 4.
	Kernel, Stride, Dilation [2]int64
}

// WindowOf returns the window of a convolution of two dimensions, of a transposed one, or of a
// pool, as its options and its filter say it: false for other operators, and where it has no
// options.
func WindowOf(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) (Window, bool) {
	n := newNode(m, s, o)
	if n.window == nil {
		return Window{}, false
	}
	var w Window
	why := attempt(func() { w = n.window(n) })
	return w, why == nil
}

// spatial is window for kinds that have one.
func (n node) spatial() Window { return n.window(n) }

// Along returns how a window moves along the height (0) or the width (1) of an input of in
// elements, and how many elements the output has there: false where no window fits, or the
// padding is neither SAME nor VALID.
func (w Window) Along(axis int, in int64) (a Axis, out int64, ok bool) {
	return slide{padding: w.Padding, kernel: w.Kernel[axis], stride: w.Stride[axis], dilation: w.Dilation[axis]}.along(axis+1, in)
}

// Transposed returns which elements of an input are spread over which of the output, of out
// elements, along the height (0) or the width (1): false where sizes do not go together.
func (w Window) Transposed(axis int, in, out int64) (Axis, bool) {
	return slide{padding: w.Padding, kernel: w.Kernel[axis], stride: w.Stride[axis], dilation: 1}.spread(axis+1, in, out)
}

// A slide is a window along one axis.
type slide struct {
	padding                  schema.Padding
	kernel, stride, dilation int64
}

// valid reports whether there is a window at all.
func (s slide) valid() bool {
	return s.kernel > 0 && s.stride > 0 && s.dilation > 0 && (s.padding == schema.PaddingSAME || s.padding == schema.PaddingVALID)
}

// along moves the window along an axis of the input, which is also one of the output.
// (TensorFlow's rule for SAME: the odd element of padding comes after.)
func (s slide) along(axis int, in int64) (a Axis, out int64, ok bool) {
	a = Axis{Of: axis, In: in, Stride: s.stride, Reach: (s.kernel - 1) * s.dilation, Scale: 1}
	switch {
	case !s.valid() || in <= 0 || in == Open:
		return a, 0, false
	case s.padding == schema.PaddingSAME:
		a.Before = SamePadding(in, a.Reach+1, s.stride) / 2
		return a, ceilDiv(in, s.stride), true
	}
	return a, (in-a.Reach-1)/s.stride + 1, in > a.Reach
}

// spread returns the axis of a transposed convolution: element i of the input adds to those of
// the output from i*stride-before on, as many as the kernel has.
func (s slide) spread(axis int, in, out int64) (a Axis, ok bool) {
	if !s.valid() || in <= 0 || out <= 0 || in == Open {
		return a, false
	}
	before := int64(0)
	if s.padding == schema.PaddingSAME {
		before = SamePadding(out, s.kernel, s.stride) / 2
		ok = in == ceilDiv(out, s.stride)
	} else {
		ok = out == (in-1)*s.stride+s.kernel
	}
	reach := s.kernel - s.stride
	return Axis{Of: axis, In: in, Stride: 1, Before: reach - before, Reach: reach, Scale: s.stride}, ok
}

// SamePadding returns how many elements of padding, on both sides together, SAME puts around n
// elements for a window that reaches over extent of them.
func SamePadding(n, extent, stride int64) int64 {
	return max(0, (ceilDiv(n, stride)-1)*stride+extent-n)
}

// slid returns how many elements a window makes of some along an axis, and fails where none.
func (n node) slid(a Axis, out int64, ok bool) int64 {
	if !ok {
		n.fail("no window fits %d elements along dimension %d", a.In, a.Of)
	}
	return out
}

// windows returns the axes of height and width, whole where no window fits.
func (n node) windows(height, width int64) (y, x Axis) {
	w := n.spatial()
	y, _, okY := w.Along(0, height)
	x, _, okX := w.Along(1, width)
	if !okY || !okX {
		n.fail("no window fits %dx%d", height, width)
	}
	return y, x
}
