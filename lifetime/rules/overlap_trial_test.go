package rules_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// A trial is an operator and a simple step-by-step simulation of its reference kernel.
type trial struct {
	code    schema.BuiltinOperator
	tag     schema.BuiltinOptions
	options []any
	in, out []operand
	// from and to are the overlapping input and output.
	from, to int
	bodies   []body
	// apart reports that the two must not overlap at all.
	apart bool
	// copies reports that each body writes what it reads, and faint that the output may be
	// correct although something was overwritten too early, because the new bytes may be
	// equivalent.
	copies, faint bool
}

// An operand is an input or an output: a tensor, or, with data, a constant. Drawn constants
// accept any data.
type operand struct {
	kind        schema.TensorType
	shape       []int32
	scale, zero float64
	data        []byte
	drawn       bool
}

func (o operand) constant() bool { return o.drawn || o.data != nil }

// A body reads elements, at these byte offsets of the input, and then writes bytes of the
// output, [first, end). A piece must not overlap its source.
type body struct {
	reads      []int64
	first, end int64
	piece      bool
}

// at returns the byte offset of an element.
func (o operand) at(index ...int32) int64 {
	place := int64(0)
	for i, d := range o.shape {
		place = place*int64(d) + int64(index[i])
	}
	return place * o.width()
}

func (o operand) width() int64 { return widths[o.kind] }

func (o operand) bytes() int64 {
	n := int64(1)
	for _, d := range o.shape {
		n *= int64(d)
	}
	if o.kind == schema.TensorTypeINT4 {
		return (n + 1) / 2
	}
	return n * o.width()
}

var widths = map[schema.TensorType]int64{
	schema.TensorTypeFLOAT32: 4, schema.TensorTypeINT32: 4, schema.TensorTypeINT16: 2, schema.TensorTypeINT8: 1, schema.TensorTypeBOOL: 1,
}

// element adds a body that writes one element.
func (x *trial) element(reads []int64, index ...int32) {
	first := x.out[x.to].at(index...)
	x.bodies = append(x.bodies, body{reads, first, first + x.out[x.to].width(), false})
}

// distance is the smallest distance at which no unread byte is overwritten.
func (x *trial) distance() int64 {
	most, lowest := int64(math.MinInt64/2), int64(math.MaxInt64/2)
	for i := len(x.bodies) - 1; i >= 0; i-- {
		b := x.bodies[i]
		if b.piece {
			for _, r := range b.reads {
				lowest = min(lowest, r)
			}
		}
		if b.end > b.first {
			most = max(most, b.end-lowest)
		}
		for _, r := range b.reads {
			lowest = min(lowest, r)
		}
	}
	return most
}

// spoils reports whether a body reads overwritten input bytes at a distance.
func (x *trial) spoils(distance int64) bool {
	width, now := x.in[x.from].width(), map[int64]int64{} // now maps a position to the input byte there, 0 for none
	for _, b := range x.bodies {
		var read []int64
		for _, r := range b.reads {
			for i := r; i < r+width; i++ {
				if was, ok := now[distance+i]; ok && was != i+1 {
					return true
				}
				read = append(read, i+1)
			}
		}
		for i := b.first; i < b.end; i++ {
			if now[i] = 0; x.copies && len(read) > 0 {
				now[i] = read[i-b.first]
			}
		}
	}
	return false
}

// model returns the operator as a model. The seed determines the drawn data.
func (x *trial) model(seed uint64) encode.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	o := encode.Operator{Builtin: x.code, OptionsType: x.tag, Version: 1}
	if x.tag != 0 {
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return fields(b, x.options) }
	}
	var s encode.Subgraph
	var buffers []encode.Buffer
	for i, p := range append(append([]operand{}, x.in...), x.out...) {
		t := encode.Tensor{Type: p.kind, Shape: p.shape, HasRank: true}
		if p.scale != 0 {
			t.Quantization = encode.Quantization{Scales: []float32{float32(p.scale)}, Zeros: []int64{int64(p.zero)}}
		}
		switch {
		case i >= len(x.in):
			o.Outputs, s.Outputs = append(o.Outputs, i), append(s.Outputs, i)
		case p.constant():
			if p.drawn {
				p.data = anyData(r, p)
			}
			buffers = append(buffers, encode.Buffer{Data: p.data})
			t.Buffer = len(buffers)
		default:
			s.Inputs = append(s.Inputs, i)
		}
		if i < len(x.in) {
			o.Inputs = append(o.Inputs, i)
		}
		s.Tensors = append(s.Tensors, t)
	}
	s.Operators = []encode.Operator{o}
	return encode.Model{Description: x.code.String(), Subgraphs: []encode.Subgraph{s}, Buffers: buffers}
}

// anyData draws data suitable for weights.
func anyData(r *rand.Rand, p operand) []byte {
	data := make([]byte, p.bytes())
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	if p.kind == schema.TensorTypeFLOAT32 {
		for i := 0; i < len(data); i += 4 {
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(float32(r.Float64()*2-1)))
		}
	}
	return data
}

// fields writes an options table: its fields in order, nil for omitted ones.
func fields(b *flatbuffers.Builder, list []any) flatbuffers.UOffsetT {
	b.StartObject(len(list))
	for slot, v := range list {
		switch v := v.(type) {
		case bool:
			b.PrependBoolSlot(slot, v, false)
		case schema.Padding:
			b.PrependInt8Slot(slot, int8(v), 0)
		case schema.MirrorPadMode:
			b.PrependInt8Slot(slot, int8(v), 0)
		case int32:
			b.PrependInt32Slot(slot, v, 0)
		case float32:
			b.PrependFloat32Slot(slot, v, 0)
		}
	}
	return b.EndObject()
}

// numbers is a constant of 32-bit integers.
func numbers(shape []int32, list ...int32) operand {
	return operand{kind: schema.TensorTypeINT32, shape: shape, data: ints(list...).Data}
}

// indexes calls f for all indexes of a shape, in order.
func indexes(shape []int32, f func(i []int32)) {
	i := make([]int32, len(shape))
	for {
		f(i)
		axis := len(shape) - 1
		for ; axis >= 0; axis-- {
			if i[axis]++; i[axis] < shape[axis] {
				break
			}
			i[axis] = 0
		}
		if axis < 0 {
			return
		}
	}
}

// A drawing draws trials.
type drawing struct{ *rand.Rand }

// some is a number from low to high.
func (d drawing) some(low, high int32) int32 { return low + d.Int32N(high-low+1) }

func (d drawing) chance() bool { return d.IntN(2) == 0 }

// shape has the given rank, each dimension up to a size, the last one sometimes larger.
func (d drawing) shape(rank int, most int32) (shape []int32) {
	for i := range rank {
		if i == rank-1 && d.IntN(4) == 0 {
			most *= 8
		}
		shape = append(shape, d.some(1, most))
	}
	return shape
}

// tensor has one of the given types: by default FLOAT32, INT8 and INT16.
func (d drawing) tensor(shape []int32, kinds ...schema.TensorType) operand {
	if len(kinds) == 0 {
		kinds = []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16}
	}
	return operand{kind: kinds[d.IntN(len(kinds))], shape: shape}.scaled(0.05, 0)
}

// scaled is the operand with another scale, if it is quantised.
func (o operand) scaled(scale, zero float64) operand {
	if o.kind == schema.TensorTypeINT8 || o.kind == schema.TensorTypeINT16 {
		o.scale, o.zero = scale, zero
	}
	return o
}

// shaped is the operand with another shape.
func (o operand) shaped(shape ...int32) operand {
	o.shape = shape
	return o
}

// draw returns the trial with a number, of each kind in turn.
func draw(t *testing.T, number int) *trial {
	t.Helper()
	d := drawing{rand.New(rand.NewPCG(uint64(number), 7))}
	for range 1000 {
		if x := draws[number%len(draws)](d); x != nil {
			return x
		}
	}
	t.Fatalf("no trial of kind %d fits", number%len(draws))
	return nil
}
