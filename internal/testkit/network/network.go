// Package network draws small random models for tests. The models have many operators with in-place
// outputs in LiteRT, and many valid orders; others are chains of convolutions that can be tiled.
package network

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Draw returns a model file of random floats or 8-bit integers, deterministic for a seed.
func Draw(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 14))
	d := &drawnNetwork{Rand: r, kind: schema.TensorTypeFLOAT32}
	if r.IntN(3) == 0 {
		d.kind = schema.TensorTypeINT8
	}
	elements := []int32{8, 16, 32}[r.IntN(3)]
	for range 1 + r.IntN(2) {
		in := d.tensor(base, d.shapeOf(elements)...)
		d.sub.Inputs = append(d.sub.Inputs, in)
		d.unary(in)
	}
	for range 4 + r.IntN(10) {
		d.step()
	}
	d.end()
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{d.sub}, Buffers: d.data})
}

// A quantum is the quantisation of an 8-bit tensor.
type quantum struct {
	scale float32
	zero  int64
}

var base, signed, part = quantum{1. / 16, -3}, quantum{1. / 128, 0}, quantum{1. / 256, -128}

// A drawnNetwork is a model under construction.
type drawnNetwork struct {
	*rand.Rand
	kind schema.TensorType
	sub  encode.Subgraph
	data []encode.Buffer
	// made are the outputs of operators, in operator order; quanta and read are by tensor.
	made   []int
	quanta []quantum
	read   []int
}

func (d *drawnNetwork) tensor(q quantum, shape ...int32) int {
	t := encode.Tensor{Name: fmt.Sprintf("t%d", len(d.sub.Tensors)), Type: d.kind, Shape: shape}
	if d.kind == schema.TensorTypeINT8 {
		t.Quantization = encode.Quantization{Scales: []float32{q.scale}, Zeros: []int64{q.zero}}
	}
	d.sub.Tensors = append(d.sub.Tensors, t)
	d.quanta, d.read = append(d.quanta, q), append(d.read, 0)
	return len(d.sub.Tensors) - 1
}

// constant adds nonzero values.
func (d *drawnNetwork) constant(shape ...int32) int {
	t := d.tensor(base, shape...)
	var data []byte
	for range count(shape) {
		v := 1 + d.IntN(20)
		if d.kind == schema.TensorTypeINT8 {
			data = append(data, byte(v))
			continue
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)/8))
	}
	return d.embed(t, data)
}

func (d *drawnNetwork) int32s(shape []int32, list ...int32) int {
	t := d.tensor(base, shape...)
	d.sub.Tensors[t].Type, d.sub.Tensors[t].Quantization = schema.TensorTypeINT32, encode.Quantization{}
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return d.embed(t, data)
}

func (d *drawnNetwork) embed(t int, data []byte) int {
	d.data = append(d.data, encode.Buffer{Data: data})
	d.sub.Tensors[t].Buffer = len(d.data)
	return t
}

func (d *drawnNetwork) shape(t int) []int32 { return d.sub.Tensors[t].Shape }

func count(shape []int32) int32 {
	n := int32(1)
	for _, k := range shape {
		n *= k
	}
	return n
}

// shapeOf returns a shape of n elements, where n is a multiple of four.
func (d *drawnNetwork) shapeOf(n int32) []int32 {
	return [][]int32{{1, n}, {n}, {1, 1, n}, {1, 2, n / 2, 1}, {1, n / 4, 2, 2}, {2, n / 2}}[d.IntN(6)]
}

// add adds an operator.
func (d *drawnNetwork) add(o encode.Operator, inputs []int, outputs ...int) {
	o.Inputs, o.Outputs = inputs, outputs
	d.sub.Operators = append(d.sub.Operators, o)
	for _, t := range inputs {
		d.read[t]++
	}
	d.made = append(d.made, outputs...)
}

// any returns the output of an operator, more often one of the last few.
func (d *drawnNetwork) any() int {
	n := len(d.made)
	if d.IntN(3) > 0 {
		return d.made[n-1-d.IntN(min(n, 4))]
	}
	return d.made[d.IntN(n)]
}

// like returns an output of the same shape as another.
func (d *drawnNetwork) like(t int, same func(int) bool) int {
	var list []int
	for _, o := range d.made {
		if slices.Equal(d.shape(o), d.shape(t)) && same(o) {
			list = append(list, o)
		}
	}
	return list[d.IntN(len(list))]
}

// step adds an operator, or none if the drawn one does not fit.
func (d *drawnNetwork) step() {
	t := d.any()
	switch k := d.IntN(100); {
	case k < 10:
		d.chain(t)
	case k < 38:
		d.rename(t)
	case k < 54:
		d.arithmetic(t, d.operand(t))
	case k < 67:
		d.arithmetic(t, d.like(t, func(int) bool { return true }))
	case k < 75:
		d.add(softmax(), []int{t}, d.tensor(part, d.shape(t)...))
	case k < 82:
		d.unary(t)
	case k < 88:
		d.concatenate(t)
	case k < 92:
		d.split(t)
	case k < 95:
		d.slice(t)
	case k < 97:
		d.pool(t)
	default:
		d.update(t)
	}
}

// end makes outputs of unread tensors, directly or through another operator, and at times of tensors
// that are read.
func (d *drawnNetwork) end() {
	for _, t := range slices.Clone(d.made) {
		if d.read[t] == 0 && d.IntN(3) > 0 {
			d.unary(t)
		}
	}
	for _, t := range d.made {
		if d.read[t] == 0 || d.IntN(15) == 0 {
			d.sub.Outputs = append(d.sub.Outputs, t)
		}
	}
}

// chain reshapes data twice, and overwrites the last tensor if the kernel may: the readers of the
// tensor in between have to run before. At times it makes a large tensor, and the other branch a small
// one, so that an order with that branch first is better.
func (d *drawnNetwork) chain(t int) {
	n := len(d.made)
	for range 2 {
		d.rename(t)
		t = d.made[len(d.made)-1]
	}
	if len(d.made) < n+2 {
		return
	}
	between, large := d.made[n], d.IntN(2) == 0
	if large {
		d.concatenate(between)
	}
	d.arithmetic(t, d.operand(t))
	if large {
		d.slice(d.made[len(d.made)-1])
	} else if d.IntN(2) == 0 {
		d.unary(between)
	}
}

// rename gives data another shape.
func (d *drawnNetwork) rename(t int) {
	shape := d.shape(t)
	switch k := d.IntN(4); {
	case k == 0 && slices.Contains(shape, 1):
		var rest []int32
		for _, n := range shape {
			if n != 1 {
				rest = append(rest, n)
			}
		}
		d.add(encode.Operator{
			Builtin: schema.BuiltinOperatorSQUEEZE, OptionsType: schema.BuiltinOptionsSqueezeOptions, Options: empty(schema.SqueezeOptionsStart, schema.SqueezeOptionsEnd),
		}, []int{t}, d.tensor(d.quanta[t], rest...))
	case k == 1 && len(shape) < 4:
		at := d.IntN(len(shape) + 1)
		d.add(encode.Operator{Builtin: schema.BuiltinOperatorEXPAND_DIMS},
			[]int{t, d.int32s([]int32{1}, int32(at))}, d.tensor(d.quanta[t], slices.Insert(slices.Clone(shape), at, 1)...))
	default:
		to := d.shapeOf(count(shape))
		if count(to) != count(shape) {
			return
		}
		d.add(encode.Operator{Builtin: schema.BuiltinOperatorRESHAPE},
			[]int{t, d.int32s([]int32{int32(len(to))}, to...)}, d.tensor(d.quanta[t], to...))
	}
}

// operand returns a constant for arithmetic with a tensor, of its shape or broadcast.
func (d *drawnNetwork) operand(t int) int {
	shape := d.shape(t)
	if d.IntN(2) == 0 {
		return d.constant(shape[len(shape)-1])
	}
	return d.constant(shape...)
}

func (d *drawnNetwork) arithmetic(a, b int) {
	o := []encode.Operator{
		{Builtin: schema.BuiltinOperatorADD, OptionsType: schema.BuiltinOptionsAddOptions, Options: empty(schema.AddOptionsStart, schema.AddOptionsEnd)},
		{Builtin: schema.BuiltinOperatorSUB, OptionsType: schema.BuiltinOptionsSubOptions, Options: empty(schema.SubOptionsStart, schema.SubOptionsEnd)},
		{Builtin: schema.BuiltinOperatorMUL, OptionsType: schema.BuiltinOptionsMulOptions, Options: empty(schema.MulOptionsStart, schema.MulOptionsEnd)},
		{Builtin: schema.BuiltinOperatorDIV, OptionsType: schema.BuiltinOptionsDivOptions, Options: empty(schema.DivOptionsStart, schema.DivOptionsEnd)},
	}[d.IntN(3)]
	if d.kind == schema.TensorTypeFLOAT32 && d.sub.Tensors[b].Buffer > 0 && d.IntN(4) == 0 {
		o.Builtin, o.OptionsType = schema.BuiltinOperatorDIV, schema.BuiltinOptionsDivOptions
		o.Options = empty(schema.DivOptionsStart, schema.DivOptionsEnd)
	}
	out := d.tensor(base, d.shape(a)...)
	if d.IntN(4) == 0 && o.Builtin != schema.BuiltinOperatorDIV {
		a, b = b, a
	}
	d.add(o, []int{a, b}, out)
}

func (d *drawnNetwork) unary(t int) {
	out, code := base, schema.BuiltinOperatorRELU
	switch d.IntN(3) {
	case 0:
		out, code = signed, schema.BuiltinOperatorTANH
	case 1:
		out, code = part, schema.BuiltinOperatorLOGISTIC
	}
	d.add(encode.Operator{Builtin: code}, []int{t}, d.tensor(out, d.shape(t)...))
}

// concatenate concatenates a tensor with others of its shape, often with itself, which makes a large
// tensor from a small one.
func (d *drawnNetwork) concatenate(t int) {
	shape := slices.Clone(d.shape(t))
	list := []int{t}
	for range 1 + d.IntN(4) {
		list = append(list, d.like(t, func(o int) bool { return d.quanta[o] == d.quanta[t] }))
	}
	axis := len(shape) - 1
	if shape[axis] *= int32(len(list)); count(shape) > 512 {
		return
	}
	d.add(encode.Operator{
		Builtin: schema.BuiltinOperatorCONCATENATION, OptionsType: schema.BuiltinOptionsConcatenationOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ConcatenationOptionsStart(b)
			schema.ConcatenationOptionsAddAxis(b, int32(axis))
			return schema.ConcatenationOptionsEnd(b)
		},
	}, list, d.tensor(d.quanta[t], shape...))
}

func (d *drawnNetwork) split(t int) {
	shape := slices.Clone(d.shape(t))
	axis := len(shape) - 1
	if shape[axis]%2 != 0 || count(shape)%8 != 0 {
		return
	}
	shape[axis] /= 2
	d.add(encode.Operator{
		Builtin: schema.BuiltinOperatorSPLIT, OptionsType: schema.BuiltinOptionsSplitOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SplitOptionsStart(b)
			schema.SplitOptionsAddNumSplits(b, 2)
			return schema.SplitOptionsEnd(b)
		},
	}, []int{d.int32s(nil, int32(axis)), t}, d.tensor(d.quanta[t], shape...), d.tensor(d.quanta[t], shape...))
}

// slice takes the second half.
func (d *drawnNetwork) slice(t int) {
	shape := slices.Clone(d.shape(t))
	rank, axis := int32(len(shape)), len(shape)-1
	if shape[axis]%2 != 0 || count(shape)%8 != 0 {
		return
	}
	begin, size := make([]int32, rank), shape
	size[axis] /= 2
	begin[axis] = size[axis]
	d.add(encode.Operator{Builtin: schema.BuiltinOperatorSLICE},
		[]int{t, d.int32s([]int32{rank}, begin...), d.int32s([]int32{rank}, size...)}, d.tensor(d.quanta[t], size...))
}

// pool takes the larger of every two rows.
func (d *drawnNetwork) pool(t int) {
	shape := slices.Clone(d.shape(t))
	if len(shape) != 4 || shape[1]%2 != 0 || count(shape)%8 != 0 {
		return
	}
	shape[1] /= 2
	d.add(encode.Operator{
		Builtin: schema.BuiltinOperatorMAX_POOL_2D, OptionsType: schema.BuiltinOptionsPool2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Pool2DOptionsStart(b)
			schema.Pool2DOptionsAddPadding(b, schema.PaddingVALID)
			schema.Pool2DOptionsAddStrideH(b, 2)
			schema.Pool2DOptionsAddStrideW(b, 1)
			schema.Pool2DOptionsAddFilterHeight(b, 2)
			schema.Pool2DOptionsAddFilterWidth(b, 1)
			return schema.Pool2DOptionsEnd(b)
		},
	}, []int{t}, d.tensor(d.quanta[t], shape...))
}

// update writes constants into the first part of a tensor.
func (d *drawnNetwork) update(t int) {
	shape := slices.Clone(d.shape(t))
	axis := len(shape) - 1
	if shape[axis] < 2 {
		return
	}
	shape[axis] /= 2
	part, rank := d.constant(shape...), int32(len(shape))
	d.quanta[part] = d.quanta[t]
	d.sub.Tensors[part].Quantization = d.sub.Tensors[t].Quantization
	d.add(encode.Operator{Builtin: schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE},
		[]int{t, part, d.int32s([]int32{rank}, make([]int32, rank)...)}, d.tensor(d.quanta[t], d.shape(t)...))
}

func softmax() encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorSOFTMAX, OptionsType: schema.BuiltinOptionsSoftmaxOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SoftmaxOptionsStart(b)
			schema.SoftmaxOptionsAddBeta(b, 1)
			return schema.SoftmaxOptionsEnd(b)
		},
	}
}

// empty writes a table of default options.
func empty(start func(*flatbuffers.Builder), end func(*flatbuffers.Builder) flatbuffers.UOffsetT) func(*flatbuffers.Builder) flatbuffers.UOffsetT {
	return func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		start(b)
		return end(b)
	}
}
