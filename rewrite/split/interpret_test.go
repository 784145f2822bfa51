package split_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An array is a tensor's value. Integers and floats of 32 bits are both exact in it.
type array struct {
	shape []int32
	data  []float64
}

func newArray(shape []int32) array {
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	return array{shape, make([]float64, n)}
}

// at returns the place of an element of a tensor of rank 4.
func (a array) at(y, x, c int) *float64 {
	return &a.data[(y*int(a.shape[2])+x)*int(a.shape[3])+c]
}

// An interpreter runs operators plainly, as the kernels of the runtimes are documented.
// It knows nothing of the code under test, and fails when a shape does not follow from an
// operator and its inputs.
type interpreter struct {
	model *tflite.Model
	sub   *tflite.Subgraph
	added []rewrite.EditTensor
	// zero is the zero point of a tensor of the model, scale its scale.
	zero   func(tensor int) float64
	values map[int]array
	macs   int64
}

type fault struct{ error }

func (in *interpreter) fail(format string, args ...any) {
	panic(fault{fmt.Errorf(format, args...)})
}

func (in *interpreter) must(ok bool, format string, args ...any) {
	if !ok {
		in.fail(format, args...)
	}
}

// like returns the tensor of the model whose type and quantisation a tensor has, -1 for
// none.
func (in *interpreter) like(i int) int {
	if i < len(in.sub.Tensors) {
		return i
	}
	return in.added[i-len(in.sub.Tensors)].Like
}

func (in *interpreter) kind(i int) schema.TensorType {
	if like := in.like(i); like >= 0 {
		return in.sub.Tensors[like].Type
	}
	return in.added[i-len(in.sub.Tensors)].Type
}

func (in *interpreter) shape(i int) []int32 {
	if i < len(in.sub.Tensors) {
		return in.sub.Tensors[i].Shape
	}
	return in.added[i-len(in.sub.Tensors)].Shape
}

func (in *interpreter) float(i int) bool { return in.kind(i) == schema.TensorTypeFLOAT32 }

// get returns the value of a tensor, which must have been made.
func (in *interpreter) get(i int) array {
	if v, ok := in.values[i]; ok {
		return v
	}
	var data []byte
	if i < len(in.sub.Tensors) {
		data = in.model.Buffer(&in.sub.Tensors[i]).Data
	} else {
		data = in.added[i-len(in.sub.Tensors)].Data
	}
	in.must(data != nil, "tensor %d is read before it is made", i)
	v := newArray(in.shape(i))
	for k := range v.data {
		switch in.kind(i) {
		case schema.TensorTypeFLOAT32:
			v.data[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:])))
		case schema.TensorTypeINT32:
			v.data[k] = float64(int32(binary.LittleEndian.Uint32(data[4*k:])))
		case schema.TensorTypeINT8:
			v.data[k] = float64(int8(data[k]))
		default:
			in.fail("constant of type %v", in.kind(i))
		}
	}
	in.values[i] = v
	return v
}

// set makes a tensor, once.
func (in *interpreter) set(i int, v array) {
	_, made := in.values[i]
	in.must(!made, "tensor %d is made twice", i)
	in.must(slices.Equal(v.shape, in.shape(i)), "tensor %d has the shape %v, but is %v", i, in.shape(i), v.shape)
	in.values[i] = v
}

// run runs one operator.
func (in *interpreter) run(o rewrite.EditOperator) {
	switch o.Kind {
	case rewrite.EditKeep:
		op := &in.sub.Operators[o.Of]
		in.operator(op, op.Inputs, op.Outputs[0], false)
	case rewrite.EditPiece, rewrite.EditValid:
		in.operator(&in.sub.Operators[o.Of], o.Inputs, o.Outputs[0], o.Kind == rewrite.EditValid)
	case rewrite.EditPad:
		in.must(len(o.Inputs) == 2, "PAD has %d inputs", len(o.Inputs))
		in.must(in.like(o.Inputs[0]) >= 0, "PAD of an INT32")
		in.pad(o.Inputs, o.Outputs[0])
	case rewrite.EditStridedSlice:
		in.stridedSlice(o.Inputs, o.Outputs[0])
	case rewrite.EditConcatenation:
		in.must(len(o.Inputs) <= 10, "%d tensors are joined", len(o.Inputs))
		in.concatenation(o.Inputs, o.Outputs[0], o.Axis)
	default:
		in.fail("operator of kind %v", o.Kind)
	}
}

func (in *interpreter) operator(op *tflite.Operator, inputs []int, out int, valid bool) {
	code := in.model.OperatorCodes[op.Code].Builtin
	switch code {
	case schema.BuiltinOperatorCONV_2D:
		var o schema.Conv2DOptions
		op.Options(schema.BuiltinOptionsConv2DOptions, &o)
		s := sliding{o.Padding() == schema.PaddingSAME && !valid, o.StrideH(), o.StrideW(), o.DilationHFactor(), o.DilationWFactor()}
		in.conv(inputs, out, s, false, o.FusedActivationFunction())
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		var o schema.DepthwiseConv2DOptions
		op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &o)
		s := sliding{o.Padding() == schema.PaddingSAME && !valid, o.StrideH(), o.StrideW(), o.DilationHFactor(), o.DilationWFactor()}
		in.conv(inputs, out, s, true, o.FusedActivationFunction())
	case schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorAVERAGE_POOL_2D:
		var o schema.Pool2DOptions
		op.Options(schema.BuiltinOptionsPool2DOptions, &o)
		s := sliding{o.Padding() == schema.PaddingSAME && !valid, o.StrideH(), o.StrideW(), 1, 1}
		in.pool(inputs, out, s, int(o.FilterHeight()), int(o.FilterWidth()), code == schema.BuiltinOperatorMAX_POOL_2D)
	case schema.BuiltinOperatorPAD:
		in.pad(inputs, out)
	case schema.BuiltinOperatorCONCATENATION:
		in.concatenation(inputs, out, 3)
	case schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorSUB:
		in.binary(inputs, out, code)
	case schema.BuiltinOperatorRELU, schema.BuiltinOperatorLOGISTIC, schema.BuiltinOperatorQUANTIZE, schema.BuiltinOperatorDEQUANTIZE:
		in.unary(inputs[0], out, code)
	default:
		in.more(op, code, inputs, out)
	}
}

// round makes a sum a value of an output's type.
func (in *interpreter) round(out int, x float64) float64 {
	if in.float(out) {
		return float64(float32(x))
	}
	return min(max(math.Round(x)+in.zero(in.like(out)), -128), 127)
}

type sliding struct {
	same                               bool
	strideH, strideW, dilateH, dilateW int32
}

// extent returns the size of an output, and how far the first window is outside.
func (in *interpreter) extent(n int32, k int, stride, dilate int32, same bool) (out int32, before int) {
	ke := (int32(k)-1)*dilate + 1
	if !same {
		in.must(n >= ke, "a window of %d over %d", ke, n)
		return (n-ke)/stride + 1, 0
	}
	out = (n + stride - 1) / stride
	return out, int(max(0, (out-1)*stride+ke-n)) / 2
}

func (in *interpreter) conv(inputs []int, out int, s sliding, depthwise bool, activation schema.ActivationFunctionType) {
	x, w := in.get(inputs[0]), in.get(inputs[1])
	in.must(in.kind(inputs[0]) == in.kind(out), "convolution of other types")
	kh, kw := int(w.shape[1]), int(w.shape[2])
	h, top := in.extent(x.shape[1], kh, s.strideH, s.dilateH, s.same)
	width, left := in.extent(x.shape[2], kw, s.strideW, s.dilateW, s.same)
	channels := w.shape[0]
	if depthwise {
		channels = w.shape[3]
	}
	r := newArray([]int32{1, h, width, channels})
	zero := in.zero(in.like(inputs[0]))
	for oy := range int(h) {
		for ox := range int(width) {
			for oc := range int(channels) {
				sum := float64(0)
				for ky := range kh {
					for kx := range kw {
						y := oy*int(s.strideH) - top + ky*int(s.dilateH)
						at := ox*int(s.strideW) - left + kx*int(s.dilateW)
						if y < 0 || at < 0 || y >= int(x.shape[1]) || at >= int(x.shape[2]) {
							continue
						}
						if depthwise {
							sum = in.tap(out, sum, *x.at(y, at, oc*int(x.shape[3])/int(channels)), *w.at(ky, kx, oc), zero)
							continue
						}
						for ic := range int(w.shape[3]) {
							group := oc * (int(x.shape[3]) / int(w.shape[3])) / int(channels) * int(w.shape[3])
							weight := w.data[((oc*kh+ky)*kw+kx)*int(w.shape[3])+ic]
							sum = in.tap(out, sum, *x.at(y, at, group+ic), weight, zero)
						}
					}
				}
				if activation == schema.ActivationFunctionTypeRELU {
					sum = max(sum, 0)
				}
				if !in.float(out) {
					sum *= 0.037
				}
				*r.at(oy, ox, oc) = in.round(out, sum)
			}
		}
	}
	perPoint := int64(kh) * int64(kw) * int64(channels)
	if !depthwise {
		perPoint *= int64(w.shape[3])
	}
	in.macs += int64(h) * int64(width) * perPoint
	in.set(out, r)
}

// tap adds a product, in the precision of the type.
func (in *interpreter) tap(out int, sum, x, w, zero float64) float64 {
	if in.float(out) {
		return float64(float32(sum) + float32(x)*float32(w))
	}
	return sum + (x-zero)*w
}

func (in *interpreter) pool(inputs []int, out int, s sliding, kh, kw int, largest bool) {
	x := in.get(inputs[0])
	h, top := in.extent(x.shape[1], kh, s.strideH, 1, s.same)
	w, left := in.extent(x.shape[2], kw, s.strideW, 1, s.same)
	r := newArray([]int32{1, h, w, x.shape[3]})
	for oy := range int(h) {
		for ox := range int(w) {
			for c := range int(x.shape[3]) {
				sum, count, most := 0.0, 0.0, math.Inf(-1)
				for y := max(0, oy*int(s.strideH)-top); y < min(int(x.shape[1]), oy*int(s.strideH)-top+kh); y++ {
					for at := max(0, ox*int(s.strideW)-left); at < min(int(x.shape[2]), ox*int(s.strideW)-left+kw); at++ {
						v := *x.at(y, at, c)
						sum, count, most = sum+v, count+1, max(most, v)
					}
				}
				v := most
				if !largest {
					v = sum / count
				}
				if !in.float(out) {
					v = math.Round(v)
				}
				*r.at(oy, ox, c) = float64(float32(v))
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) pad(inputs []int, out int) {
	x, p := in.get(inputs[0]), in.get(inputs[1])
	shape := slices.Clone(x.shape)
	for i := range shape {
		in.must(p.data[2*i] >= 0 && p.data[2*i+1] >= 0, "negative padding %v", p.data)
		shape[i] += int32(p.data[2*i] + p.data[2*i+1])
	}
	r := newArray(shape)
	for i := range r.data {
		r.data[i] = in.zero(in.like(out))
	}
	for y := range int(x.shape[1]) {
		for at := range int(x.shape[2]) {
			for c := range int(x.shape[3]) {
				*r.at(y+int(p.data[2]), at+int(p.data[4]), c+int(p.data[6])) = *x.at(y, at, c)
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) stridedSlice(inputs []int, out int) {
	x, begin, end, strides := in.get(inputs[0]), in.get(inputs[1]).data, in.get(inputs[2]).data, in.get(inputs[3]).data
	in.must(slices.Equal(strides, []float64{1, 1, 1, 1}), "strides %v", strides)
	in.must(in.like(inputs[0]) == in.like(out) || in.zero(in.like(inputs[0])) == in.zero(in.like(out)), "slice of another quantisation")
	shape := make([]int32, 4)
	for i := range shape {
		in.must(0 <= begin[i] && begin[i] < end[i] && end[i] <= float64(x.shape[i]), "slice %v to %v of %v", begin, end, x.shape)
		shape[i] = int32(end[i] - begin[i])
	}
	in.must(!slices.Equal(shape, x.shape), "a slice of everything")
	r := newArray(shape)
	for y := range int(shape[1]) {
		for at := range int(shape[2]) {
			for c := range int(shape[3]) {
				*r.at(y, at, c) = *x.at(y+int(begin[1]), at+int(begin[2]), c+int(begin[3]))
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) concatenation(inputs []int, out, axis int) {
	shape := slices.Clone(in.get(inputs[0]).shape)
	shape[axis] = 0
	for _, i := range inputs {
		other := slices.Clone(in.get(i).shape)
		shape[axis], other[axis] = shape[axis]+other[axis], shape[axis]+other[axis]
		in.must(slices.Equal(shape, other), "shapes %v and %v are joined along %d", shape, other, axis)
		in.must(in.zero(in.like(i)) == in.zero(in.like(out)), "tensors of other quantisation are joined")
	}
	r := newArray(shape)
	var from [4]int
	for _, i := range inputs {
		x := in.get(i)
		for y := range int(x.shape[1]) {
			for at := range int(x.shape[2]) {
				for c := range int(x.shape[3]) {
					*r.at(y+from[1], at+from[2], c+from[3]) = *x.at(y, at, c)
				}
			}
		}
		from[axis] += int(x.shape[axis])
	}
	in.set(out, r)
}

// broadcast returns an element of an operand of lower rank or with dimensions of 1.
func broadcast(a array, index [4]int) float64 {
	place := 0
	for i, d := range a.shape {
		k := index[4-len(a.shape)+i]
		if d == 1 {
			k = 0
		}
		place = place*int(d) + k
	}
	return a.data[place]
}

func (in *interpreter) binary(inputs []int, out int, code schema.BuiltinOperator) {
	a, b := in.get(inputs[0]), in.get(inputs[1])
	zeroA, zeroB := in.zero(in.like(inputs[0])), in.zero(in.like(inputs[1]))
	shape := make([]int32, 4)
	for i := range shape {
		shape[i] = 1
		for _, s := range [][]int32{a.shape, b.shape} {
			if k := len(s) - 4 + i; k >= 0 {
				in.must(s[k] == shape[i] || s[k] == 1 || shape[i] == 1, "shapes %v and %v", a.shape, b.shape)
				shape[i] = max(shape[i], s[k])
			}
		}
	}
	r := newArray(shape)
	for y := range int(shape[1]) {
		for x := range int(shape[2]) {
			for c := range int(shape[3]) {
				p, q := broadcast(a, [4]int{0, y, x, c}), broadcast(b, [4]int{0, y, x, c})
				var v float64
				switch code {
				case schema.BuiltinOperatorADD:
					v = 0.7*(p-zeroA) + 0.9*(q-zeroB)
				case schema.BuiltinOperatorSUB:
					v = 0.7*(p-zeroA) - 0.9*(q-zeroB)
				default:
					v = 0.05 * (p - zeroA) * (q - zeroB)
				}
				*r.at(y, x, c) = in.round(out, v)
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) unary(from, out int, code schema.BuiltinOperator) {
	x := in.get(from)
	r := newArray(x.shape)
	for i, v := range x.data {
		v -= in.zero(in.like(from))
		switch code {
		case schema.BuiltinOperatorRELU:
			v = max(v, 0)
		case schema.BuiltinOperatorLOGISTIC:
			v = 40 / (1 + math.Exp(-v/20))
		}
		r.data[i] = in.round(out, v)
	}
	in.set(out, r)
}
