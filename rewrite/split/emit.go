package split

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// emitter collects the tensors and operators of a fragment.
type emitter struct {
	*graph
	base int
	fragment
	// constants maps shape and data to an added constant.
	constants map[string]int
	// available holds the available pieces of each value while a tile of the stage is computed.
	available []store
	// lives is scratch space of [emitter.breadth]; need, plan and ins are that of [emitter.plans].
	lives []life
	need  []region
	plan  []plan
	ins   []region
	// lists and shapes allocate operands and shapes; text is scratch space for names and keys.
	lists  pool[int]
	shapes pool[int32]
	text   []byte
	// stores holds, for each constant that is split, the bytes of its pieces.
	stores map[int][]int64
	// wide holds the added filters with zeros around them.
	wide map[widenedFilter]int
}

type fragment = Fragment

// finished returns the complete fragment.
func (e *emitter) finished() *Fragment {
	e.WeightBytes = saturatingAdd(e.WeightBytes, e.weightBytes())
	e.fragment.graph, e.fragment.base = e.graph, e.base
	return &e.fragment
}

// tensor adds a tensor like a value's, with the size of a region.
func (e *emitter) tensor(v int, r region, note string) int {
	from := &e.values[v]
	e.text = append(append(e.text[:0], shortName(e.sub.Tensors[from.like].Name)...), '/')
	e.text = from.label(e.text, r)
	if note != "" {
		e.text = append(append(e.text, ' '), note...)
	}
	of := tile{of: from.like, start: from.start(r)}
	if from.isPadded {
		of = notTile
	}
	_, shape := from.box(r, &e.shapes)
	return e.addTensor(edit.Tensor{Name: string(e.text), Like: from.like, Shape: shape}, of)
}

// bytes returns the size of the given number of positions of a value.
func (e *emitter) bytes(v int, positions int64) int64 {
	value := &e.values[v]
	element := int64(tflite.ElementBits(e.sub.Tensors[value.like].Type) / 8)
	return saturatingMul(positions, value.c, element)
}

// shortName truncates very long names: every tile repeats them.
func shortName(name string) string {
	const most = 200
	return name[:min(len(name), most)]
}

func (e *emitter) addTensor(t edit.Tensor, of tile) int {
	e.Tensors, e.tiles = append(e.Tensors, t), append(e.tiles, of)
	return e.base + len(e.Tensors) - 1
}

// key returns the key of a constant in scratch space: its data, then its shape.
func (e *emitter) key(shape, data []int32) []byte {
	e.text = e.text[:0]
	for _, list := range [][]int32{data, shape} {
		for _, x := range list {
			e.text = binary.LittleEndian.AppendUint32(e.text, uint32(x))
		}
	}
	return e.text
}

// int32s returns a constant; equal ones are shared.
func (e *emitter) int32s(shape []int32, data []int32) int {
	key := e.key(shape, data)
	if i, ok := e.constants[string(key)]; ok {
		return i
	}
	i := e.addTensor(edit.Tensor{
		Name: int32sName(data), Shape: shape, Like: -1, Type: schema.TensorTypeINT32, Data: bytes.Clone(key[:4*len(data)]),
	}, notTile)
	e.constants[string(key)] = i
	return i
}

// int32sName returns the name of a constant, such as "split/[0 1 2]".
func int32sName(data []int32) string {
	name := []byte("split/[")
	for i, x := range data {
		if i > 0 {
			name = append(name, ' ')
		}
		name = strconv.AppendInt(name, int64(x), 10)
	}
	return string(append(name, ']'))
}

func (e *emitter) add(o edit.Operator) {
	if o.Kind > edit.Valid {
		o.Of = -1
	}
	e.Operators = append(e.Operators, o)
}

// slice cuts a region out of a piece and returns the new tensor.
func (e *emitter) slice(v int, from piece, r region) int {
	if constant := e.cutConstant(v, r); constant >= 0 {
		return constant
	}
	out := e.tensor(v, r, "cut")
	y, x := r.y.shift(-from.y.from), r.x.shift(-from.x.from)
	begin, size := e.values[v].box(region{y, x}, &e.shapes)
	e.cutPart(from.tensor, out, begin, size)
	if r.x == from.x {
		e.share(out, from.tensor, v, y.from*x.len())
	}
	return out
}

// smallCut is the maximum number of elements cut with SLICE, which copies element by element
// and allocates nothing. STRIDED_SLICE copies rows, but keeps about 90 persistent bytes of
// parameters: at most 0.3 % of a larger tile.
const smallCut = 1 << 15

// cutPart adds the operator that cuts a part out of a tensor.
func (e *emitter) cutPart(from, out int, begin, size []int32) {
	vector := []int32{int32(len(begin))}
	op := edit.Operator{Kind: edit.Slice, Outputs: e.lists.list(out), Inputs: []int{from, e.int32s(vector, begin)}}
	if elements(size) <= smallCut {
		op.Inputs = append(op.Inputs, e.sliceSize(from, begin, size))
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

// sliceSize returns the size of a part as a constant for SLICE: -1, up to the end, in whole dimensions, so that
// more parts share a constant. A part that ends with another dimension has -1 there too, unless that takes
// a constant more.
func (e *emitter) sliceSize(from int, begin, size []int32) int {
	shape := e.shape(from)
	whole, ends := slices.Clone(size), slices.Clone(size)
	for d := range size {
		if begin[d]+size[d] == shape[d] {
			ends[d] = -1
			if begin[d] == 0 {
				whole[d] = -1
			}
		}
	}
	vector := []int32{int32(len(size))}
	if i, ok := e.constants[string(e.key(vector, whole))]; ok {
		return i
	}
	return e.int32s(vector, ends)
}

// shape returns the shape of a tensor of the model, or of an added one.
func (e *emitter) shape(t int) []int32 {
	if t < e.base {
		return e.sub.Tensors[t].Shape
	}
	return e.Tensors[t-e.base].Shape
}

// elements returns the number of elements of a shape.
func elements(shape []int32) int64 {
	n := int64(1)
	for _, d := range shape {
		n = saturatingMul(n, int64(d))
	}
	return n
}

// share records that the last added operator copies part to or from whole, at an offset of the
// given number of positions.
func (e *emitter) share(part, whole, v int, positions int64) {
	e.Shares = append(e.Shares, Share{
		Operator: len(e.Operators) - 1, Part: part, Whole: whole, From: e.bytes(v, positions),
	})
}

// cutConstant returns a constant with a region of a constant's data, which costs no memory at
// run time, or -1 if the value is not constant.
func (e *emitter) cutConstant(v int, r region) int {
	if e.values[v].inside {
		return -1
	}
	t := &e.sub.Tensors[e.values[v].tensor]
	data, p := e.model.Buffer(t).Data, &e.values[v].layout
	element := int64(tflite.ElementBits(t.Type) / 8)
	if int64(len(data)) != p.h*p.w*p.c*element {
		return -1
	}
	part := p.part(data, element, r)
	i := e.tensor(v, r, "")
	e.Tensors[i-e.base].Data = part
	e.stored(e.values[v].tensor, int64(len(part)))
	return i
}

// maxJoined is the maximum number of CONCATENATION inputs in TensorFlow Lite Micro.
const maxJoined = 10

// joined computes tiles of a value and joins them; if there are many, first in groups, each as
// soon as it is complete. into is the joined tensor, -1 for a new one.
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

// grouped splits spans into at most as many groups as one operator can join; each span is its
// own group if they are few.
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

// join joins at most maxJoined pieces of a value along the height, or along the width if they
// share the same rows. A single piece is returned unchanged.
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
	axis := e.values[v].x
	if rows {
		axis = e.values[v].y
	}
	e.add(edit.Operator{Kind: edit.Concatenation, Inputs: inputs, Outputs: []int{out.tensor}, Axis: axis})
	for _, p := range list {
		if rows {
			e.share(p.tensor, out.tensor, v, (p.y.from-out.y.from)*p.x.len())
		}
	}
	return out
}
