package kernels

import (
	"fmt"
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/testkit/oracle/cmsisnn"
)

// draws are the operators with CMSIS-NN functions. Convolutions have the most cases.
var draws = []struct {
	file string // the recording that a drawn row could be in
	draw func(*rand.Rand) drawn
}{
	{"conv_2d", drawConvolution},
	{"conv_2d", drawConvolution},
	{"conv_2d", drawConvolution},
	{"depthwise_conv_2d", drawDepthwise},
	{"depthwise_conv_2d", drawDepthwise},
	{"transpose_conv", drawTransposed},
	{"fully_connected", drawConnected},
	{"svdf", drawMemory},
	{"average_pool_2d", drawAverage},
}

// with returns a row of alternating columns and values.
func with(cells ...any) recordedRow {
	r := recordedRow{}
	for i := 0; i < len(cells); i += 2 {
		r[cells[i].(string)] = fmt.Sprint(cells[i+1])
	}
	return r
}

func oneOf[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// upTo draws from 1 to n.
func upTo(rng *rand.Rand, n int) int { return 1 + rng.IntN(n) }

// drawChannels draws from few channels to many. Multiples of 4, 8 and 16 use other code paths.
func drawChannels(rng *rand.Rand) int {
	return oneOf(rng, upTo(rng, 4), upTo(rng, 40), 4*upTo(rng, 16), 8*upTo(rng, 32), 16*upTo(rng, 32), upTo(rng, 300))
}

// drawTypes draws the types of input, weights and bias, and the type passed to the functions.
func drawTypes(rng *rand.Rand) (in, weights, bias string, kind cmsisnn.Type) {
	switch rng.IntN(4) {
	case 0:
		return "i8", "i4", oneOf(rng, "i32", "none"), cmsisnn.Int4
	case 1:
		return "i16", "i8", oneOf(rng, "i32", "i64", "none"), cmsisnn.Int16
	}
	return "i8", "i8", oneOf(rng, "i32", "none"), cmsisnn.Int8
}

// A slide is a window along one dimension, with its output.
type slide struct{ in, out, filter, stride, dilation, padding int }

// drawSlides draws the height and the width. Some inputs are one line, and some windows one
// pixel.
func drawSlides(rng *rand.Rand, dilates bool) (y, x slide, padding string) {
	y, x = drawSlide(rng, dilates), drawSlide(rng, dilates)
	switch rng.IntN(5) {
	case 0:
		y.filter, x.filter = 1, 1
	case 1:
		y.in, y.filter = 1, oneOf(rng, 1, 1, y.filter)
	case 2:
		y.filter, x.filter = 3, 3
	}
	padding = oneOf(rng, "SAME", "VALID")
	if y.span() > y.in || x.span() > x.in {
		padding = "SAME"
	}
	y.place(padding)
	x.place(padding)
	return y, x, padding
}

func drawSlide(rng *rand.Rand, dilates bool) slide {
	s := slide{in: upTo(rng, 50), filter: upTo(rng, 7), stride: oneOf(rng, 1, 1, 2, upTo(rng, 5)), dilation: 1}
	if dilates {
		s.dilation = oneOf(rng, 1, 1, 1, upTo(rng, 3))
	}
	return s
}

// span is the number of input elements that a window spans.
func (s *slide) span() int { return (s.filter-1)*s.dilation + 1 }

// place computes the output and the padding before the input, as TensorFlow defines them.
func (s *slide) place(padding string) {
	s.out = (s.in - s.span() + s.stride) / s.stride
	if padding == "SAME" {
		s.out = (s.in + s.stride - 1) / s.stride
		s.padding = max(0, (s.out-1)*s.stride+s.span()-s.in) / 2
	}
}

// cells are the columns common to all recordings of windows.
func cells(batch, channels int, y, x slide, padding string) []any {
	return []any{
		"in_n", batch, "in_h", y.in, "in_w", x.in, "in_c", channels, "filter_h", y.filter, "filter_w", x.filter,
		"out_h", y.out, "out_w", x.out, "stride_h", y.stride, "stride_w", x.stride,
		"dilation_h", y.dilation, "dilation_w", x.dilation, "padding", padding,
	}
}

// about is the question about a window. The filter is passed as the runtime's wrapper passes
// it.
func about(function string, kind cmsisnn.Type, batch, channels, filters, depth, outputs int, y, x slide) cmsisnn.Question {
	return cmsisnn.Question{
		Function: function, Type: kind,
		Input: [4]int{batch, y.in, x.in, channels}, Filter: [4]int{filters, y.filter, x.filter, depth},
		Output: [4]int{batch, y.out, x.out, outputs}, Padding: [2]int{y.padding, x.padding},
		Stride: [2]int{y.stride, x.stride}, Dilation: [2]int{y.dilation, x.dilation},
	}
}
