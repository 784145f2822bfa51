package split

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An emitter collects the tensors and operators of a fragment.
type emitter struct {
	*graph
	base int
	fragment
	// constants finds an added constant by its shape and data.
	constants map[string]int
	// have are the pieces that there are of each value, while one of the stage is made.
	have []store
	// lives is where [emitter.breadth] counts.
	lives []life
	// lists and shapes are what operands and shapes are taken from, and text is where names
	// and keys are put together.
	lists  pool[int]
	shapes pool[int32]
	text   []byte
	// stores are the bytes of the pieces of each constant of the model that is cut.
	stores map[int][]int64
}

type fragment = Fragment

// finished returns the fragment, of which all tensors and operators were added.
func (e *emitter) finished() *Fragment {
	e.WeightBytes = e.weightBytes()
	e.fragment.graph, e.fragment.base = e.graph, e.base
	return &e.fragment
}

// tensor adds a tensor like a value's, with the size of a region.
func (e *emitter) tensor(v int, r region, note string) int {
	from := &e.values[v]
	e.text = append(append(e.text[:0], short(e.sub.Tensors[from.like].Name)...), '/')
	e.text = from.label(e.text, r)
	if note != "" {
		e.text = append(append(e.text, ' '), note...)
	}
	of := tile{of: from.like, start: (r.y.from*from.w + r.x.from) * from.c}
	if from.fresh {
		of = helper
	}
	return e.addTensor(edit.Tensor{
		Name: string(e.text), Like: from.like,
		Shape: e.shapes.list(1, int32(r.y.len()), int32(r.x.len()), int32(from.c)),
	}, of)
}

// bytes returns the size of some positions of a value.
func (e *emitter) bytes(v int, positions int64) int64 {
	value := &e.values[v]
	element := int64(tflite.ElementBits(e.sub.Tensors[value.like].Type) / 8)
	return times(positions, value.c, element)
}

// short cuts a name that is longer than anybody reads: pieces have it many times.
func short(name string) string {
	const most = 200
	return name[:min(len(name), most)]
}

func (e *emitter) addTensor(t edit.Tensor, of tile) int {
	e.Tensors, e.tiles = append(e.Tensors, t), append(e.tiles, of)
	return e.base + len(e.Tensors) - 1
}

// int32s returns a constant. Equal ones are one tensor.
func (e *emitter) int32s(shape []int32, data []int32) int {
	key := e.text[:0]
	for _, x := range data {
		key = binary.LittleEndian.AppendUint32(key, uint32(x))
	}
	raw := len(key)
	for _, d := range shape {
		key = binary.LittleEndian.AppendUint32(key, uint32(d))
	}
	e.text = key
	if i, ok := e.constants[string(key)]; ok {
		return i
	}
	i := e.addTensor(edit.Tensor{
		Name: "split/" + fmt.Sprint(data), Shape: shape, Like: -1, Type: schema.TensorTypeINT32, Data: bytes.Clone(key[:raw]),
	}, helper)
	e.constants[string(key)] = i
	return i
}

func (e *emitter) add(o edit.Operator) {
	if o.Kind > edit.Valid {
		o.Of = -1
	}
	e.Operators = append(e.Operators, o)
}

// slice takes a region out of a piece, and returns the new tensor.
func (e *emitter) slice(v int, from piece, r region) int {
	if constant := e.cutConstant(v, r); constant >= 0 {
		return constant
	}
	out := e.tensor(v, r, "cut")
	y, x := r.y.shift(-from.y.from), r.x.shift(-from.x.from)
	c := int32(e.values[v].c)
	begin, size := []int32{0, int32(y.from), int32(x.from), 0}, []int32{1, int32(y.len()), int32(x.len()), c}
	e.take(from.tensor, out, begin, size)
	if r.x == from.x {
		e.share(out, from.tensor, v, y.from*x.len())
	}
	return out
}

// smallCut is how many elements SLICE takes, at most. It goes one by one and keeps nothing in
// memory; STRIDED_SLICE copies rows, and keeps about 90 bytes of parameters for good.
const smallCut = 8192

// take adds the operator that takes a part out of a tensor.
func (e *emitter) take(from, out int, begin, size []int32) {
	vector := []int32{int32(len(begin))}
	op := edit.Operator{Kind: edit.Slice, Outputs: e.lists.list(out), Inputs: []int{from, e.int32s(vector, begin)}}
	elements := int64(1)
	for _, n := range size {
		elements *= int64(n)
	}
	if elements <= smallCut {
		op.Inputs = append(op.Inputs, e.int32s(vector, size))
		e.add(op)
		return
	}
	op.Kind = edit.StridedSlice
	end, strides := make([]int32, len(begin)), make([]int32, len(begin))
	for i := range begin {
		end[i], strides[i] = begin[i]+size[i], 1
	}
	op.Inputs = append(op.Inputs, e.int32s(vector, end), e.int32s(vector, strides))
	e.add(op)
}

// share notes that the operator added last copies part to or from whole, where it begins
// so many positions behind.
func (e *emitter) share(part, whole, v int, positions int64) {
	e.Shares = append(e.Shares, Share{
		Operator: len(e.Operators) - 1, Part: part, Whole: whole, From: e.bytes(v, positions),
	})
}

// cutConstant returns a constant with a region of a constant's data, -1 when the value is
// none: it costs no memory at run time.
func (e *emitter) cutConstant(v int, r region) int {
	if e.values[v].inside {
		return -1
	}
	t := &e.sub.Tensors[e.values[v].tensor]
	data, p := e.model.Buffer(t).Data, e.values[v].picture
	bytes := int64(tflite.ElementBits(t.Type)/8) * p.c
	if int64(len(data)) != p.h*p.w*bytes {
		return -1
	}
	var part []byte
	for y := r.y.from; y < r.y.to; y++ {
		part = append(part, data[(y*p.w+r.x.from)*bytes:(y*p.w+r.x.to)*bytes]...)
	}
	i := e.tensor(v, r, "")
	e.Tensors[i-e.base].Data = part
	e.stored(e.values[v].tensor, int64(len(part)))
	return i
}

// maxJoined is how many inputs CONCATENATION has at most in TensorFlow Lite Micro.
const maxJoined = 10

// joined makes some pieces of a value and joins them: groups of them first, each as soon
// as it is complete, where there are many. into is the tensor that is made, -1 for a new
// one.
func (e *emitter) joined(v int, spans []span, into int, tile func(span) piece) piece {
	if len(spans) == 1 {
		return e.join(v, []piece{tile(spans[0])}, into)
	}
	var list []piece
	for _, g := range grouped(spans) {
		list = append(list, e.joined(v, g, -1, tile))
	}
	return e.join(v, list, into)
}

// grouped puts spans into as many groups as one operator joins: of one each, where there
// are no more of them.
func grouped(spans []span) (groups [][]span) {
	n := int64(len(spans))
	if n > maxJoined {
		n = min(ceilDiv(n, maxJoined), maxJoined)
	}
	for _, g := range pieces(int64(len(spans)), int(n)) {
		groups = append(groups, spans[g.from:g.to])
	}
	return groups
}

// join joins pieces of a value, at most maxJoined, along the height or, where they lie
// side by side, along the width. A single one stays as it is.
func (e *emitter) join(v int, list []piece, into int) piece {
	if len(list) == 1 && into < 0 {
		return list[0]
	}
	out := piece{into, list[0].region}
	var inputs []int
	rows := true
	for _, p := range list {
		inputs = append(inputs, p.tensor)
		out.region = out.hull(p.region)
		rows = rows && p.x == list[0].x
	}
	if into < 0 {
		out.tensor = e.tensor(v, out.region, "joined")
	}
	axis := 2
	if rows {
		axis = 1
	}
	e.add(edit.Operator{Kind: edit.Concatenation, Inputs: inputs, Outputs: []int{out.tensor}, Axis: axis})
	for _, p := range list {
		if rows {
			e.share(p.tensor, out.tensor, v, (p.y.from-out.y.from)*p.x.len())
		}
	}
	return out
}
