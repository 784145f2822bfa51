package edit

import (
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An edit in the making: a copy of what a subgraph has, to be changed.
type making struct {
	Edit
	sub *tflite.Subgraph
	// strided slices by STRIDED_SLICE.
	strided bool
}

// keepAll returns the edit that changes nothing.
func keepAll(m *tflite.Model, s int) *making {
	e := &making{Edit: Edit{Subgraph: s}, sub: &m.Subgraphs[s]}
	for i := range e.sub.Operators {
		e.Operators = append(e.Operators, Operator{Kind: Keep, Of: i})
	}
	return e
}

// tensor adds a tensor and returns its index.
func (e *making) tensor(t Tensor) int {
	e.Tensors = append(e.Tensors, t)
	return len(e.sub.Tensors) + len(e.Tensors) - 1
}

// constant adds numbers in a tensor of the given shape.
func (e *making) constant(name string, shape []int32, values ...int32) int {
	var data []byte
	for _, v := range values {
		data = le.AppendUint32(data, uint32(v))
	}
	return e.tensor(Tensor{Name: name, Shape: shape, Like: -1, Type: schema.TensorTypeINT32, Data: data})
}

func (e *making) like(name string, t int, shape ...int32) int {
	return e.tensor(Tensor{Name: name, Shape: shape, Like: t})
}

// replace puts operators in the place of one that is kept.
func (e *making) replace(of int, list ...Operator) {
	var all []Operator
	for _, op := range e.Operators {
		if op.Kind == Keep && op.Of == of {
			all = append(all, list...)
		} else {
			all = append(all, op)
		}
	}
	e.Operators = all
}

// keeps reports whether an operator of the file is still kept.
func (e *making) keeps(of int) bool {
	for _, op := range e.Operators {
		if op.Kind == Keep && op.Of == of {
			return true
		}
	}
	return false
}

// sliced returns the operator that takes rows [from, to) of a tensor, and its output.
func (e *making) sliced(t int, shape []int32, from, to int32) (Operator, int) {
	begin, size := make([]int32, len(shape)), append([]int32(nil), shape...)
	begin[1], size[1] = from, to-from
	n := []int32{int32(len(shape))}
	out := e.like("rows", t, size...)
	if e.strided {
		end := append([]int32(nil), shape...)
		end[1] = to
		strides := []int32{1, 1, 1, 1}
		return Operator{
			Kind: StridedSlice, Outputs: []int{out},
			Inputs: []int{t, e.constant("begin", n, begin...), e.constant("end", n, end...), e.constant("strides", n, strides...)},
		}, out
	}
	return Operator{
		Kind: Slice, Inputs: []int{t, e.constant("begin", n, begin...), e.constant("size", n, size...)}, Outputs: []int{out},
	}, out
}

// padded returns the operator that pads a tensor, and its output.
func (e *making) padded(t int, like int, shape []int32, pads [4]int32) (Operator, int) {
	out := e.like("padded", like, shape[0], shape[1]+pads[0]+pads[1], shape[2]+pads[2]+pads[3], shape[3])
	p := e.constant("pads", []int32{4, 2}, 0, 0, pads[0], pads[1], pads[2], pads[3], 0, 0)
	return Operator{Kind: Pad, Inputs: []int{t, p}, Outputs: []int{out}}, out
}

// A window is what a convolution does along one axis.
type window struct{ in, out, stride, effective, before int32 }

// sameWindow returns a window with padding SAME.
func sameWindow(in, out, stride, filter, dilation int32) window {
	w := window{in: in, out: out, stride: stride, effective: (filter-1)*dilation + 1}
	w.before = max(0, (out-1)*stride+w.effective-in) / 2
	return w
}

// needs returns the part of the input that the outputs [from, to) need, and how much of
// it is padding in front and behind.
func (w window) needs(from, to int32) (a, b, front, behind int32) {
	a, b = from*w.stride-w.before, (to-1)*w.stride-w.before+w.effective
	return max(a, 0), min(b, w.in), max(-a, 0), max(b-w.in, 0)
}

// strips cuts a convolution with padding SAME in two strips of rows: of each the input is
// sliced, padded, and convolved with padding VALID. It returns false where the operator is
// no such convolution.
func (e *making) strips(m *tflite.Model, i int) bool {
	op := &e.sub.Operators[i]
	rows, columns, ok := windows(e.sub, op)
	if !ok || rows.out < 2 {
		return false
	}
	in, out := &e.sub.Tensors[op.Inputs[0]], &e.sub.Tensors[op.Outputs[0]]
	var list []Operator
	var pieces []int
	for _, strip := range [][2]int32{{0, rows.out / 2}, {rows.out / 2, rows.out}} {
		a, b, front, behind := rows.needs(strip[0], strip[1])
		_, _, left, right := columns.needs(0, columns.out)
		slice, piece := e.sliced(in.Index, in.Shape, a, b)
		pad, wide := e.padded(piece, in.Index, []int32{in.Shape[0], b - a, in.Shape[2], in.Shape[3]}, [4]int32{front, behind, left, right})
		result := e.like("strip", out.Index, out.Shape[0], strip[1]-strip[0], out.Shape[2], out.Shape[3])
		conv := Operator{Kind: Valid, Of: i, Inputs: append([]int{wide}, op.Inputs[1:]...), Outputs: []int{result}}
		list, pieces = append(list, slice, pad, conv), append(pieces, result)
	}
	list = append(list, Operator{Kind: Concatenation, Inputs: pieces, Outputs: []int{out.Index}, Axis: 1})
	e.replace(i, list...)
	return true
}

// windows returns how a convolution with padding SAME moves over rows and columns.
func windows(sub *tflite.Subgraph, op *tflite.Operator) (rows, columns window, ok bool) {
	var c schema.Conv2DOptions
	var d schema.DepthwiseConv2DOptions
	var strides, dilations [2]int32
	switch {
	case op.Name == "CONV_2D" && op.Options(schema.BuiltinOptionsConv2DOptions, &c) && c.Padding() == schema.PaddingSAME:
		strides, dilations = [2]int32{c.StrideH(), c.StrideW()}, [2]int32{c.DilationHFactor(), c.DilationWFactor()}
	case op.Name == "DEPTHWISE_CONV_2D" && op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &d) && d.Padding() == schema.PaddingSAME:
		strides, dilations = [2]int32{d.StrideH(), d.StrideW()}, [2]int32{d.DilationHFactor(), d.DilationWFactor()}
	default:
		return rows, columns, false
	}
	in, filter, out := sub.Tensors[op.Inputs[0]].Shape, sub.Tensors[op.Inputs[1]].Shape, sub.Tensors[op.Outputs[0]].Shape
	if len(in) != 4 || len(filter) != 4 || len(out) != 4 || strides[0] <= 0 || strides[1] <= 0 {
		return rows, columns, false
	}
	rows = sameWindow(in[1], out[1], strides[0], filter[1], dilations[0])
	columns = sameWindow(in[2], out[2], strides[1], filter[2], dilations[1])
	return rows, columns, true
}

func apply(t sample.TB, m *tflite.Model, e *making) (*rewrite.Result, *tflite.Model) {
	t.Helper()
	r, err := Apply(m, e.Edit, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

// channels cuts a convolution in two by its outputs' channels: each piece has a part of
// the filter and of the bias, and of their quantisation.
func (e *making) channels(m *tflite.Model, i int) bool {
	op := &e.sub.Operators[i]
	out := &e.sub.Tensors[op.Outputs[0]]
	n := int(out.Shape[3])
	part := func(t int, r Range) int {
		old := &e.sub.Tensors[t]
		data := m.Buffer(old).Data
		size := len(data) / n
		shape := append([]int32{int32(r.To - r.From)}, old.Shape[1:]...)
		return e.tensor(Tensor{
			Name: old.Name + "/part", Shape: shape, Like: t, Data: data[size*r.From : size*r.To], Channels: &r,
		})
	}
	var list []Operator
	var pieces []int
	for _, r := range []Range{{0, n/2 - 1}, {n/2 - 1, n}} {
		result := e.like("channels", out.Index, out.Shape[0], out.Shape[1], out.Shape[2], int32(r.To-r.From))
		in := []int{op.Inputs[0], part(op.Inputs[1], r), part(op.Inputs[2], r)}
		list = append(list, Operator{Kind: Piece, Of: i, Inputs: in, Outputs: []int{result}})
		pieces = append(pieces, result)
	}
	e.replace(i, append(list, Operator{Kind: Concatenation, Inputs: pieces, Outputs: []int{out.Index}, Axis: 3})...)
	return true
}

func embed(t sample.TB, m *tflite.Model, offsets []int32) (*rewrite.Result, *tflite.Model) {
	t.Helper()
	r, err := rewrite.Embed(m, offsets, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

func remove(t sample.TB, m *tflite.Model) *rewrite.Result {
	t.Helper()
	r, err := rewrite.Remove(m, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
