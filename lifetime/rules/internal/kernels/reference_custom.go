package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
)

// referenceCustom maps the custom operators of the reference library to their kernels, by name.
// Most are from its signal library, whose kernels keep state of their own.
var referenceCustom = map[string]demand{
	"CIRCULAR_BUFFER": op(none, 8, inOut...),
	"TFLite_Detection_PostProcess": op(none, 112, in(0, 1, 2),
		scratch(boxes), scratch(times(fixed(16), boxes)), scratch(times(fixed(4), ofInput(1, axis(1)), classes)),
		scratch(times(fixed(4), boxes)), scratch(times(fixed(4), boxes)),
		scratch(times(fixed(4), detections, boxes)), scratch(times(fixed(4), detections, boxes)),
		scratch(times(fixed(4), boxes)), scratch(times(fixed(4), detections, boxes)),
		scratch(times(fixed(4), larger(option("num_classes"), detections), boxes)),
		scratch(times(fixed(4), smaller(boxes, detections), boxes))),
	"SignalDelay": {
		init: []ask{data(20, 32)},
		prepare: []ask{
			in(0), out(0), keep(pointers(rows)), keep(pointers(rows)),
			keepEach(rows, sum(pick(24, 40), times(fixed(4), sum(ofInput(0, axis(-1)), option("delay_length"))))),
		},
	},
	"SignalEnergy":       op(none, 8, inOut...),
	"SignalFftAutoScale": op(none, 0, in(0), out(0, 1)),
	"SignalFilterBank": {
		init:    []ask{data(36, 64), keep(times(fixed(8), sum(option("num_channels"), fixed(1))))},
		prepare: []ask{in(0, 1, 2, 3, 4, 5), out(0)},
	},
	"SignalFilterBankLog": op(none, 8, inOut...),
	"SignalFilterBankSpectralSubtraction": {
		init:    []ask{data(44, 56), keep(times(fixed(4), option("num_channels")))},
		prepare: []ask{in(0), out(0, 1)},
	},
	"SignalFilterBankSquareRoot": op(none, 0, in(0, 1), out(0)),
	"SignalFramer": {
		init: []ask{data(28, 40)},
		prepare: []ask{
			in(0), out(0, 1), keep(pointers(rows)), keep(pointers(rows)),
			keepEach(rows, sum(pick(24, 40), times(fixed(4), wholeSteps))),
		},
	},
	"SignalOverlapAdd": {
		init: []ask{data(24, 32)},
		prepare: []ask{
			in(0), out(0), keep(pointers(frames)),
			keepEach(frames, times(ofInput(0, axis(-1)), ofInput(0, elementBytes))),
		},
	},
	"SignalPCAN": op(none, 4, in(0, 1, 2), out(0)),
	"SignalRfft": {
		init:    []ask{data(32, 48), keep(fft)},
		prepare: []ask{in(0), out(0), scratch(times(option("fft_length"), ofInput(0, elementBytes)))},
	},
	"SignalIrfft": {
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
	"SignalStacker": {
		init:    []ask{data(36, 56), keep(sum(pick(24, 40), times(fixed(4), option("num_channels"), stacked)))},
		prepare: []ask{in(0), out(0, 1)},
	},
	"SignalWindow": op(none, 8, in(0, 1), out(0)),
	Decode:         decode,
	"ethos-u": {
		init: []ask{data(12, 12)},
		prepare: []ask{
			scratch(times(fixed(8), ends)), scratch(pointersOf8), in(0),
		},
		fromSource: true,
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
