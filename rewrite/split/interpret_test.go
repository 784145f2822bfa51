package split_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
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

// four returns the value as one of rank 4: with dimensions of 1 in front.
func (a array) four() array {
	shape := a.shape
	for len(shape) < 4 {
		shape = append([]int32{1}, shape...)
	}
	return array{shape, a.data}
}

// at returns the place of an element of a tensor of rank 4.
func (a array) at(y, x, c int) *float64 {
	return &a.data[(y*int(a.shape[2])+x)*int(a.shape[3])+c]
}

// of is at with a place in the batch.
func (a array) of(b, y, x, c int) *float64 { return a.at(b*int(a.shape[1])+y, x, c) }

// An interpreter runs operators plainly, as the kernels of the runtimes are documented.
// It knows nothing of the code under test, and fails when a shape does not follow from an
// operator and its inputs.
type interpreter struct {
	model *tflite.Model
	sub   *tflite.Subgraph
	added []edit.Tensor
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
func (in *interpreter) run(o edit.Operator) {
	switch o.Kind {
	case edit.Keep:
		op := &in.sub.Operators[o.Of]
		in.operator(op, op.Inputs, op.Outputs[0], false)
	case edit.Piece, edit.Valid:
		in.operator(&in.sub.Operators[o.Of], o.Inputs, o.Outputs[0], o.Kind == edit.Valid)
	case edit.Pad:
		in.must(len(o.Inputs) == 2, "PAD has %d inputs", len(o.Inputs))
		in.must(in.like(o.Inputs[0]) >= 0, "PAD of an INT32")
		in.pad(o.Inputs, o.Outputs[0])
	case edit.Slice, edit.StridedSlice:
		in.slice(o.Kind, o.Inputs, o.Outputs[0])
	case edit.Concatenation:
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
	case schema.BuiltinOperatorFULLY_CONNECTED:
		in.fullyConnected(inputs, out)
	case schema.BuiltinOperatorMEAN:
		var o schema.ReducerOptions
		op.Options(schema.BuiltinOptionsReducerOptions, &o)
		in.mean(inputs, out, o.KeepDims())
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
