package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
)

// customRows holds a row for each custom operator with a kernel in the runtime, by name. Most
// are from its signal library, whose kernels keep state of their own. The Ethos-U kernel is only in
// builds with its driver.
var customRows = map[string]row{
	"CIRCULAR_BUFFER": {memory: requests(none, 8, inOut...), laws: laws(unary, takes(input(0), i8), takes(output(0), i8), buffered)},
	"TFLite_Detection_PostProcess": {
		memory: requests(none, 112, in(0, 1, 2),
			scratch(boxes), scratch(times(fixed(16), boxes)), scratch(times(fixed(4), ofInput(1, axis(1)), classes)),
			scratch(times(fixed(4), boxes)), scratch(times(fixed(4), boxes)),
			scratch(times(fixed(4), detections, boxes)), scratch(times(fixed(4), detections, boxes)),
			scratch(times(fixed(4), boxes)), scratch(times(fixed(4), detections, boxes)),
			scratch(times(fixed(4), larger(option("num_classes"), detections), boxes)),
			scratch(times(fixed(4), smaller(boxes, detections), boxes))),
		laws: laws(counts(3, 3, 4), has(input(0), input(1), input(2)), ranks(input(0), 3, 3), ranks(input(1), 3, 3), ranks(input(2), 2, 2)),
	},
	"SignalDelay": {
		memory: &demand{
			init: []ask{data(20, 32)},
			prepare: []ask{
				in(0), out(0), keep(pointers(rows)), keep(pointers(rows)),
				keepEach(rows, sum(pick(24, 40), times(fixed(4), sum(ofInput(0, axis(-1)), option("delay_length"))))),
			},
		},
		laws: laws(unary, takes(input(0), i16), takes(output(0), i16)),
	},
	"SignalEnergy": {
		memory: requests(none, 8, inOut...),
		laws:   laws(unary, ranks(input(0), 1, 1), ranks(output(0), 1, 1), takes(input(0), i16), takes(output(0), u32)),
	},
	"SignalFftAutoScale": {
		memory: requests(none, 0, in(0), out(0, 1)),
		laws:   laws(counts(1, 1, 2), has(input(0), output(0), output(1)), ranks(input(0), 1, 1), ranks(output(0), 1, 1), takes(input(0), i16), takes(output(0), i16), takes(output(1), i32)),
	},
	"SignalFilterBank": {
		memory: &demand{
			init:    []ask{data(36, 64), keep(times(fixed(8), sum(option("num_channels"), fixed(1))))},
			prepare: []ask{in(0, 1, 2, 3, 4, 5), out(0)},
		},
		laws: laws(counts(6, 6, 1), has(input(0), output(0)), takes(input(0), u32), takes(output(0), u64), has(input(1), input(2), input(3), input(4), input(5)), takes(input(1), i16), takes(input(2), i16), takes(input(3), i16), takes(input(4), i16), takes(input(5), i16)),
	},
	"SignalFilterBankLog": {
		memory: requests(none, 8, inOut...),
		laws:   laws(unary, ranks(input(0), 1, 1), ranks(output(0), 1, 1), takes(input(0), u32), takes(output(0), i16)),
	},
	"SignalFilterBankSpectralSubtraction": {
		memory: &demand{
			init:    []ask{data(44, 56), keep(times(fixed(4), option("num_channels")))},
			prepare: []ask{in(0), out(0, 1)},
		},
		laws: laws(counts(1, 1, 2), has(input(0), output(0), output(1)), takes(input(0), u32), takes(output(0), u32), takes(output(1), u32)),
	},
	"SignalFilterBankSquareRoot": {
		memory: requests(none, 0, in(0, 1), out(0)),
		laws:   laws(counts(2, 2, 1), twoIn, ranks(input(0), 1, 1), ranks(input(1), 0, 0), ranks(output(0), 1, 1), takes(input(0), u64), takes(input(1), i32), takes(output(0), u32)),
	},
	"SignalFramer": {
		memory: &demand{
			init: []ask{data(28, 40)},
			prepare: []ask{
				in(0), out(0, 1), keep(pointers(rows)), keep(pointers(rows)),
				keepEach(rows, sum(pick(24, 40), times(fixed(4), wholeSteps))),
			},
		},
		laws: laws(counts(1, 1, 2), has(input(0), output(0), output(1)), moreDimensions(1), ranks(output(1), 0, 0), takes(input(0), i16), takes(output(0), i16), takes(output(1), boolean)),
	},
	"SignalOverlapAdd": {
		memory: &demand{
			init: []ask{data(24, 32)},
			prepare: []ask{
				in(0), out(0), keep(pointers(frames)),
				keepEach(frames, times(ofInput(0, axis(-1)), ofInput(0, elementBytes))),
			},
		},
		laws: laws(unary, moreDimensions(-1), takes(input(0), f32, i16), alike(input(0), output(0))),
	},
	"SignalPCAN": {
		memory: requests(none, 4, in(0, 1, 2), out(0)),
		laws:   laws(counts(3, 3, 1), has(input(0), input(1), input(2), output(0)), ranks(input(0), 1, 1), ranks(input(1), 1, 1), ranks(input(2), 1, 1), ranks(output(0), 1, 1), takes(input(0), u32), takes(input(1), u32), takes(input(2), i16), takes(output(0), u32)),
	},
	"SignalRfft": {
		memory: &demand{
			init:    []ask{data(32, 48), keep(fft)},
			prepare: []ask{in(0), out(0), scratch(times(option("fft_length"), ofInput(0, elementBytes)))},
		},
		laws: laws(unary, moreDimensions(0), transformed, takes(input(0), f32, i16, i32), alike(input(0), output(0))),
	},
	"SignalIrfft": {
		memory: &demand{
			init: []ask{
				data(24, 32),
				keep(func(k *Kernel) int64 {
					if fftType(k) == f32 {
						return fft(k) + k.abi.pick(8, 16)
					}
					return fft(k)
				}),
			},
			prepare: inOut,
		},
		laws: laws(unary, moreDimensions(0), takes(input(0), f32, i16, i32), alike(input(0), output(0))),
	},
	"SignalStacker": {
		memory: &demand{
			init:    []ask{data(36, 56), keep(sum(pick(24, 40), times(fixed(4), option("num_channels"), stacked)))},
			prepare: []ask{in(0), out(0, 1)},
		},
		laws: laws(counts(1, 1, 2), has(input(0), output(0), output(1)), ranks(input(0), 1, 1), ranks(output(0), 1, 1), ranks(output(1), 0, 0), takes(input(0), i16), takes(output(0), i16), takes(output(1), boolean)),
	},
	"SignalWindow": {
		memory: requests(none, 8, in(0, 1), out(0)),
		laws:   laws(counts(2, 2, 1), twoIn, moreDimensions(0), takes(input(0), i16), takes(input(1), i16), takes(output(0), i16)),
	},
	Decode: {memory: decode, laws: decodeLaws},
	"ethos-u": {
		memory: &demand{
			init: []ask{data(12, 12)},
			prepare: []ask{
				scratch(times(fixed(8), ends)), scratch(pointersOf8), in(0),
			},
			fromSource: true,
		},
		laws: []law{},
	},
}

var (
	boxes      = ofInput(0, axis(1))
	classes    = ofInput(1, axis(2))
	detections = option("max_detections")
	// rows are the vectors along the last dimension, frames the matrices along the last two.
	rows    = over(ofInput(0, Elements), ofInput(0, axis(-1)))
	frames  = over(rows, ofInput(0, axis(-2)))
	stacked = sum(option("stacker_left_context"), option("stacker_right_context"), fixed(1))
	// ends is the number of inputs and outputs of an operator.
	ends        size = func(k *Kernel) int64 { return int64(len(k.op.Inputs) + len(k.op.Outputs)) }
	pointersOf8      = times(pick(4, 8), ends)
)

// wholeSteps is the size of a frame, rounded up to whole steps.
func wholeSteps(k *Kernel) int64 {
	step := k.option("frame_step")
	if step == 0 {
		return 0
	}
	return integer.RoundUp(k.option("frame_size"), step)
}

// fft is the work area of a transform: a header, and the twiddle factors of the complex
// transform of half the length, in the width of its numbers.
func fft(k *Kernel) int64 {
	number, length := int64(8), k.option("fft_length")
	if fftType(k) == i16 {
		number = 4
	}
	return min(264+product(number, length)/2+product(number, 3, length)/4+k.abi.pick(12, 24), MaxSize)
}

// fftType is the type in the options, or else the input type.
func fftType(k *Kernel) schema.TensorType {
	if t, ok := k.op.CustomOption("T"); ok {
		return schema.TensorType(t)
	}
	return k.inputType(0)
}
