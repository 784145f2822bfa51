package kernels

import (
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/testkit/oracle/cmsisnn"
)

// twice is the persistent memory per output channel.
func twice(channels int) []int64 { return []int64{4 * int64(channels), 4 * int64(channels)} }

// positive omits requests of 0 bytes, which most wrappers do not make.
func positive(bytes int64) []int64 {
	if bytes > 0 {
		return []int64{bytes}
	}
	return nil
}

// drawConvolution draws a CONV_2D. For 4-bit weights, the wrapper calls the 8-bit function.
func drawConvolution(rng *rand.Rand) drawn {
	y, x, padding := drawSlides(rng, true)
	in, weights, bias, kind := drawTypes(rng)
	batch, groups, outputs := upTo(rng, 3), oneOf(rng, 1, 1, 1, 2, 4), drawChannels(rng)
	depth := (drawChannels(rng) + groups - 1) / groups
	channels, outputs := depth*groups, outputs*groups
	if kind == cmsisnn.Int4 {
		kind = cmsisnn.Int8
	}
	return drawn{
		row: with(append(cells(batch, channels, y, x, padding), "filter_c", depth, "out_c", outputs,
			"input_type", in, "filter_type", weights, "bias_type", bias)...),
		questions: []cmsisnn.Question{about("convolution", kind, batch, channels, outputs, depth, outputs, y, x)},
		asks: func(_ armBuild, sizes []int64) demanded {
			return demanded{kept: twice(outputs), scratch: positive(sizes[0])}
		},
	}
}

// drawDepthwise draws a DEPTHWISE_CONV_2D. With a 16-bit input, the wrapper calls no function.
func drawDepthwise(rng *rand.Rand) drawn {
	y, x, padding := drawSlides(rng, true)
	in, weights, bias, kind := drawTypes(rng)
	batch, channels := oneOf(rng, 1, 1, upTo(rng, 3)), oneOf(rng, 1, drawChannels(rng), drawChannels(rng))
	multiplier := oneOf(rng, 1, 1, upTo(rng, 9))
	outputs := channels * multiplier
	q := about("depthwise", kind, batch, channels, 1, outputs, outputs, y, x)
	q.Multiplier = multiplier
	return drawn{
		row: with(append(cells(batch, channels, y, x, padding), "depth_multiplier", multiplier,
			"input_type", in, "filter_type", weights, "bias_type", bias)...),
		questions: []cmsisnn.Question{q},
		asks: func(_ armBuild, sizes []int64) demanded {
			if in == "i16" {
				return demanded{kept: twice(outputs)}
			}
			return demanded{kept: twice(outputs), scratch: positive(sizes[0])}
		},
	}
}

// drawTransposed draws a TRANSPOSE_CONV. Both requests are made even for 0 bytes.
func drawTransposed(rng *rand.Rand) drawn {
	y, x, padding := drawSlides(rng, false)
	batch, channels, outputs := upTo(rng, 3), drawChannels(rng), drawChannels(rng)
	for _, s := range []*slide{&y, &x} {
		s.out = s.in * s.stride
		if padding == "VALID" {
			s.out = (s.in-1)*s.stride + s.filter
		}
	}
	return drawn{
		row: with(append(cells(batch, channels, y, x, padding), "out_c", outputs,
			"input_type", "i8", "filter_type", "i8", "bias_type", oneOf(rng, "i32", "none"))...),
		questions: []cmsisnn.Question{
			about("transposed", cmsisnn.Int8, batch, channels, outputs, channels, outputs, y, x),
			about("reversed", cmsisnn.Int8, batch, channels, outputs, channels, outputs, y, x),
		},
		asks: func(_ armBuild, sizes []int64) demanded { return demanded{kept: twice(outputs), scratch: sizes} },
	}
}

// drawConnected draws a FULLY_CONNECTED. With more than two dimensions, and rows that are a
// multiple of four, it runs as a 1x1 convolution, and needs multipliers per channel. The build
// for speed keeps sums of constant weights.
func drawConnected(rng *rand.Rand) drawn {
	rank, row, units := 2+rng.IntN(3), oneOf(rng, upTo(rng, 700), 4*upTo(rng, 200)), upTo(rng, 500)
	in, kind := "i8", cmsisnn.Int8
	if rng.IntN(4) == 0 {
		in, kind = "i16", cmsisnn.Int16
	}
	perChannel, constant, biased := rng.IntN(2), rng.IntN(4) > 0, rng.IntN(2) > 0
	d := [3]int{upTo(rng, 4), upTo(rng, 4), upTo(rng, 4)}
	bias, filterConst, biasConst := "none", 0, 0
	if constant {
		filterConst, biasConst = 1, oneOf(rng, 1, 1, 0)
	}
	if biased {
		bias = "i32"
	}
	one := slide{in: 1, out: 1, filter: 1, stride: 1, dilation: 1}
	return drawn{
		row: with("out_rank", rank, "out_d0", d[0], "out_d1", d[1], "out_d2", d[2], "accum_depth", row, "output_depth", units,
			"input_type", in, "filter_type", "i8", "bias_type", bias, "per_channel", perChannel, "filter_const", filterConst, "bias_const", biasConst),
		questions: []cmsisnn.Question{
			about("connected", kind, 1, row, row, units, units, one, one),
			about("convolution", kind, 1, row, units, row, units, one, one),
		},
		asks: func(b armBuild, sizes []int64) (a demanded) {
			if perChannel == 1 {
				a.kept = twice(max(units, 2))
			}
			switch {
			case in == "i8" && rank > 2 && row%4 == 0 && perChannel == 0:
				a.scratch = []int64{8*int64(units) + sizes[1]}
			case in == "i8" && rank > 2 && row%4 == 0:
				a.scratch = positive(sizes[1])
			case b.core == mve && !b.small && in == "i8" && filterConst == 1 && (!biased || biasConst == 1):
				a.kept = append(a.kept, sizes[0])
			default:
				a.scratch = positive(sizes[0])
			}
			return a
		},
	}
}

// drawMemory draws an SVDF. The build for speed keeps sums of weights.
func drawMemory(rng *rand.Rand) drawn {
	batch, rank, memory, input := upTo(rng, 4), upTo(rng, 4), upTo(rng, 40), upTo(rng, 300)
	units := upTo(rng, 128)
	filters := rank * units
	return drawn{
		row: with("batch", batch, "input_size", input, "num_filters", filters, "rank", rank, "memory_size", memory,
			"input_type", "i8", "weights_time_type", "i8", "state_type", oneOf(rng, "i8", "i16")),
		questions: []cmsisnn.Question{{Function: "svdf", Filter: [4]int{filters, input, 1, 1}}},
		asks: func(b armBuild, sizes []int64) demanded {
			a := demanded{scratch: []int64{4 * int64(batch*filters), 4 * int64(batch*units)}}
			if b.small {
				a.scratch = append(a.scratch, positive(sizes[0])...)
			} else {
				a.kept = positive(sizes[0])
			}
			return a
		},
	}
}

// drawAverage draws an AVERAGE_POOL_2D.
func drawAverage(rng *rand.Rand) drawn {
	y, x, padding := drawSlides(rng, false)
	batch, channels := upTo(rng, 3), drawChannels(rng)
	in, kind := "i8", cmsisnn.Int8
	if rng.IntN(2) == 0 {
		in, kind = "i16", cmsisnn.Int16
	}
	return drawn{
		row:       with(append(cells(batch, channels, y, x, padding), "type", in)...),
		questions: []cmsisnn.Question{about("average", kind, batch, channels, 1, 1, channels, y, x)},
		asks:      func(_ armBuild, sizes []int64) demanded { return demanded{scratch: positive(sizes[0])} },
	}
}
