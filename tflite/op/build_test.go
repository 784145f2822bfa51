package op_test

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// numbers is a constant INT32 input: a vector, or with the given shape.
type numbers []int32

// A sample is a single operator. Its inputs are shapes ([]int32), constants (numbers), or
// omitted (nil); its options are the fields of their table in order, nil for omitted ones.
type sample struct {
	name     string
	code     schema.BuiltinOperator
	tag      schema.BuiltinOptions
	tag2     schema.BuiltinOptions2
	options  []any
	in       []any
	outputs  [][]int32
	elements schema.TensorType
	// calls adds a second subgraph.
	calls bool
}

// model returns a model of only the operator.
func (c sample) model(t interface {
	Helper()
	Fatalf(string, ...any)
},
) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(encode.Encode(c.encoded()), c.name)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return m
}

// encoded returns the model before encoding.
func (c sample) encoded() encode.Model {
	o := encode.Operator{Builtin: c.code, OptionsType: c.tag, Options2Type: c.tag2}
	if c.tag != 0 {
		o.Options = c.encode
	} else if c.tag2 != 0 {
		o.Options2 = c.encode
	}
	var s encode.Subgraph
	var buffers []encode.Buffer
	for _, in := range c.in {
		tensor := encode.Tensor{Type: c.elements}
		switch in := in.(type) {
		case []int32:
			tensor.Shape = in
		case numbers:
			tensor.Shape, tensor.Type = []int32{int32(len(in))}, schema.TensorTypeINT32
			var data []byte
			for _, x := range in {
				data = binary.LittleEndian.AppendUint32(data, uint32(x))
			}
			buffers = append(buffers, encode.Buffer{Data: data})
			tensor.Buffer = len(buffers)
		default:
			o.Inputs = append(o.Inputs, -1)
			continue
		}
		o.Inputs = append(o.Inputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, tensor)
	}
	for _, shape := range c.outputs {
		o.Outputs = append(o.Outputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, encode.Tensor{Shape: shape, Type: c.elements})
	}
	s.Operators = []encode.Operator{o}
	m := encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: buffers}
	if c.calls {
		m.Subgraphs = append(m.Subgraphs, encode.Subgraph{Name: "called"})
	}
	return m
}

// encode writes the table of the options.
func (c sample) encode(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	vectors := map[int]flatbuffers.UOffsetT{}
	for slot, v := range c.options {
		switch v := v.(type) {
		case []int32:
			b.StartVector(4, len(v), 4)
			for i := len(v) - 1; i >= 0; i-- {
				b.PrependInt32(v[i])
			}
			vectors[slot] = b.EndVector(len(v))
		case []int64:
			b.StartVector(8, len(v), 8)
			for i := len(v) - 1; i >= 0; i-- {
				b.PrependInt64(v[i])
			}
			vectors[slot] = b.EndVector(len(v))
		}
	}
	b.StartObject(len(c.options))
	for slot, v := range c.options {
		switch v := v.(type) {
		case bool:
			b.PrependBoolSlot(slot, v, false)
		case schema.Padding:
			b.PrependInt8Slot(slot, int8(v), 0)
		case schema.LSHProjectionType:
			b.PrependInt8Slot(slot, int8(v), 0)
		case int:
			b.PrependInt32Slot(slot, int32(v), 0)
		case int64:
			b.PrependInt64Slot(slot, v, 0)
		case []int32, []int64:
			b.PrependUOffsetTSlot(slot, vectors[slot], 0)
		}
	}
	return b.EndObject()
}
