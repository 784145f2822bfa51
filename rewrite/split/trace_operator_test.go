package split_test

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// operator follows one operator.
func (t *trace) operator(o *tflite.Operator) error {
	in, out := t.featureMap(o.Inputs[0]), t.featureMap(o.Outputs[0])
	switch code := t.model.OperatorCodes[o.Code].Builtin; code {
	case schema.BuiltinOperatorCONV_2D:
		var c schema.Conv2DOptions
		o.Options(schema.BuiltinOptionsConv2DOptions, &c)
		filter := t.featureMap(o.Inputs[1])
		y := axisOf(in.shape[1], out.shape[1], filter.shape[1], c.StrideH(), c.DilationHFactor(), c.Padding())
		x := axisOf(in.shape[2], out.shape[2], filter.shape[2], c.StrideW(), c.DilationWFactor(), c.Padding())
		depth, each := filter.shape[3], out.shape[3]/(in.shape[3]/filter.shape[3])
		t.slide(in, out, y, x, depth, func(channel int64) int64 { return channel / each * depth })
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		var c schema.DepthwiseConv2DOptions
		o.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &c)
		filter := t.featureMap(o.Inputs[1])
		y := axisOf(in.shape[1], out.shape[1], filter.shape[1], c.StrideH(), c.DilationHFactor(), c.Padding())
		x := axisOf(in.shape[2], out.shape[2], filter.shape[2], c.StrideW(), c.DilationWFactor(), c.Padding())
		t.slide(in, out, y, x, 1, func(channel int64) int64 { return channel / (out.shape[3] / in.shape[3]) })
	case schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorAVERAGE_POOL_2D:
		var p schema.Pool2DOptions
		o.Options(schema.BuiltinOptionsPool2DOptions, &p)
		y := axisOf(in.shape[1], out.shape[1], int64(p.FilterHeight()), p.StrideH(), 1, p.Padding())
		x := axisOf(in.shape[2], out.shape[2], int64(p.FilterWidth()), p.StrideW(), 1, p.Padding())
		t.slide(in, out, y, x, 1, func(channel int64) int64 { return channel })
	case schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2:
		t.pad(in, out, t.model.Buffer(&t.sub.Tensors[o.Inputs[1]]).Data)
	case schema.BuiltinOperatorCONCATENATION:
		t.concatenation(o, out)
	default:
		if !elementwise[code] {
			return fmt.Errorf("no trace of %v", code)
		}
		t.each(out, func(i [4]int64) {
			for _, tensor := range o.Inputs {
				t.read(t.featureMap(tensor), i, 1)
			}
		})
	}
	return nil
}

// elementwise make each element of the elements at its place.
var elementwise = map[schema.BuiltinOperator]bool{
	schema.BuiltinOperatorADD: true, schema.BuiltinOperatorSUB: true, schema.BuiltinOperatorMUL: true, schema.BuiltinOperatorQUANTIZE: true,
	schema.BuiltinOperatorMAXIMUM: true, schema.BuiltinOperatorMINIMUM: true, schema.BuiltinOperatorSQUARED_DIFFERENCE: true,
	schema.BuiltinOperatorRELU: true, schema.BuiltinOperatorRELU6: true, schema.BuiltinOperatorLOGISTIC: true, schema.BuiltinOperatorTANH: true,
	schema.BuiltinOperatorHARD_SWISH: true, schema.BuiltinOperatorLEAKY_RELU: true, schema.BuiltinOperatorPRELU: true, schema.BuiltinOperatorDEQUANTIZE: true,
}

// An axis is how a window goes along one axis of a feature map.
type axis struct{ in, kernel, stride, dilation, before int64 }

func axisOf(in, out, kernel int64, stride, dilation int32, padding schema.Padding) axis {
	a := axis{in: in, kernel: kernel, stride: int64(stride), dilation: int64(dilation)}
	if padding == schema.PaddingSAME {
		a.before = max((out-1)*a.stride+(kernel-1)*a.dilation+1-in, 0) / 2
	}
	return a
}

// taps calls f with the elements that the window covers.
func (a axis) taps(o int64, f func(i int64)) {
	for k := range a.kernel {
		if i := o*a.stride - a.before + k*a.dilation; i >= 0 && i < a.in {
			f(i)
		}
	}
}

// slide reads for each element so many channels of a window, from one on that the element's own
// channel decides.
func (t *trace) slide(in, out featureMap, y, x axis, depth int64, from func(channel int64) int64) {
	t.each(out, func(i [4]int64) {
		y.taps(i[1], func(row int64) {
			x.taps(i[2], func(column int64) { t.read(in, [4]int64{i[0], row, column, from(i[3])}, depth) })
		})
	})
}

func (t *trace) pad(in, out featureMap, pads []byte) {
	var before [4]int64
	for axis := range before {
		before[axis] = int64(pads[8*axis]) // a small number of 32 bits
	}
	t.each(out, func(i [4]int64) {
		for axis := range i {
			if i[axis] -= before[axis]; i[axis] < 0 || i[axis] >= in.shape[axis] {
				return
			}
		}
		t.read(in, i, 1)
	})
}

// concatenation copies what lies along the last axis piece by piece.
func (t *trace) concatenation(o *tflite.Operator, out featureMap) {
	var into int64
	for pixel := range out.shape[0] * out.shape[1] * out.shape[2] {
		for _, tensor := range o.Inputs {
			p := t.featureMap(tensor)
			size := p.shape[3] * p.width
			t.step++
			if p.record >= 0 {
				t.access(p.record, false, pixel*size, (pixel+1)*size)
				t.pieces = append(t.pieces, piece{from: p.record, to: out.record, at: pixel * size, into: into, by: size})
			}
			t.access(out.record, true, into, into+size)
			into += size
		}
	}
}
