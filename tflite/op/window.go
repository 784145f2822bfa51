package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Window is the kernel window of an operator, sliding over the height and width of its input,
// or, if transposed, the window over which each element is spread.
type Window struct {
	// Padding is the value in the file, which may be neither SAME nor VALID.
	Padding schema.Padding
	// Kernel, Stride and Dilation are in elements, along the height and the width. The kernel
	// is 0 for an operator without a filter of rank 4.
	Kernel, Stride, Dilation [2]int64
}

// WindowOf returns the window of a 2D convolution, transposed convolution or pool, from its
// options and filter: false for other operators, and without options.
func WindowOf(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) (Window, bool) {
	n := newNode(m, s, o)
	if n.window == nil {
		return Window{}, false
	}
	var w Window
	why := attempt(func() { w = n.window(n) })
	return w, why == nil
}

// spatial returns the window of a kind that has one.
func (n node) spatial() Window { return n.window(n) }

// Along returns the access pattern of a window along the height (0) or the width (1) of an
// input of in elements, and the number of output elements: false if no window fits, or if the
// padding is neither SAME nor VALID.
func (w Window) Along(axis int, in int64) (a Axis, out int64, ok bool) {
	return slide{padding: w.Padding, kernel: w.Kernel[axis], stride: w.Stride[axis], dilation: w.Dilation[axis]}.along(axis+1, in)
}

// Transposed returns the mapping from input elements to the elements of an output of out
// elements, along the height (0) or the width (1): false if the sizes contradict each other.
func (w Window) Transposed(axis int, in, out int64) (Axis, bool) {
	return slide{padding: w.Padding, kernel: w.Kernel[axis], stride: w.Stride[axis], dilation: 1}.spread(axis+1, in, out)
}

// A slide is a window along one axis.
type slide struct {
	padding                  schema.Padding
	kernel, stride, dilation int64
}

// valid reports whether the window is well-formed.
func (s slide) valid() bool {
	return s.kernel > 0 && s.stride > 0 && s.dilation > 0 && (s.padding == schema.PaddingSAME || s.padding == schema.PaddingVALID)
}

// along moves the window along an axis that the input and the output share. (TensorFlow's rule
// for SAME: an odd element of padding comes after.)
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

// spread returns the axis of a transposed convolution: element i of the input contributes to
// the kernel-sized run of output elements that begins at i*stride-before.
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

// SamePadding returns the total SAME padding, both sides together, of n elements for a window
// that spans extent elements.
func SamePadding(n, extent, stride int64) int64 {
	return max(0, (ceilDiv(n, stride)-1)*stride+extent-n)
}

// positions returns the number of window positions along an axis, and fails if no window fits.
func (n node) positions(a Axis, out int64, ok bool) int64 {
	if !ok {
		n.fail("no window fits %d elements along dimension %d", a.In, a.Of)
	}
	return out
}

// windows returns the axes of height and width, whole if no window fits.
func (n node) windows(height, width int64) (y, x Axis) {
	w := n.spatial()
	y, _, okY := w.Along(0, height)
	x, _, okX := w.Along(1, width)
	if !okY || !okX {
		n.fail("no window fits %dx%d", height, width)
	}
	return y, x
}
