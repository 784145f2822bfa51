package transform

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Short names of element types.
const (
	f16 = schema.TensorTypeFLOAT16
	f32 = schema.TensorTypeFLOAT32
	i4  = schema.TensorTypeINT4
	i8  = schema.TensorTypeINT8
	i16 = schema.TensorTypeINT16
	i32 = schema.TensorTypeINT32
	i64 = schema.TensorTypeINT64
)

// An operand is a tensor of a test, and its data if it is a constant. An absent one has no type and no shape.
type operand struct {
	encode.Tensor
	data   []byte
	absent bool
}

// tensor returns an operand; a quantised one has a scale of 1/4, or as many as its channels.
func tensor(kind schema.TensorType, shape ...int32) operand {
	if shape == nil {
		shape = []int32{}
	}
	t := operand{Tensor: encode.Tensor{Type: kind, Shape: shape, HasRank: len(shape) == 0}}
	if kind == i4 || kind == i8 || kind == i16 {
		t = t.scaled(0.25)
	}
	return t
}

// scaled returns the operand with other scales, in dimension 0.
func (o operand) scaled(scales ...float32) operand {
	o.Quantization = encode.Quantization{Scales: scales, Zeros: make([]int64, len(scales))}
	return o
}

// zeros returns the operand as a constant of zeros.
func (o operand) zeros() operand {
	size, _ := (&tflite.Tensor{Type: o.Type, Shape: o.Shape}).PackedBytes()
	o.data = make([]byte, size)
	return o
}

// numbers returns a constant vector of integers.
func numbers[T int | int64](kind schema.TensorType, values ...T) operand {
	o := tensor(kind, int32(len(values)))
	o.Quantization = encode.Quantization{}
	for _, v := range values {
		o.data, _ = binary.Append(o.data, binary.LittleEndian, map[schema.TensorType]any{i16: int16(v), i32: int32(v), i64: int64(v)}[kind])
	}
	return o
}

// shaped returns the operand with another shape.
func (o operand) shaped(shape ...int32) operand {
	o.Shape = shape
	return o
}

// missing is an input with the index -1.
var missing = operand{absent: true}

// An options is an option table.
type options struct {
	kind  schema.BuiltinOptions
	write func(*flatbuffers.Builder) flatbuffers.UOffsetT
}

// optionsOf returns an option table.
func optionsOf(kind schema.BuiltinOptions, start func(*flatbuffers.Builder), end func(*flatbuffers.Builder) flatbuffers.UOffsetT, fields ...func(*flatbuffers.Builder)) options {
	return options{kind, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		start(b)
		for _, f := range fields {
			f(b)
		}
		return end(b)
	}}
}

// field is one field of an option table.
func field[T any](add func(*flatbuffers.Builder, T), v T) func(*flatbuffers.Builder) {
	return func(b *flatbuffers.Builder) { add(b, v) }
}

// oneOperator returns a model of one operator. Inputs that are no constants are those of the graph.
func oneOperator(t *testing.T, code schema.BuiltinOperator, o options, out operand, inputs ...operand) *tflite.Model {
	t.Helper()
	var m encode.Model
	var s encode.Subgraph
	operator := encode.Operator{Builtin: code, OptionsType: o.kind, Options: o.write}
	for _, in := range append(inputs, out) {
		i := len(s.Tensors)
		if in.absent {
			operator.Inputs = append(operator.Inputs, -1)
			continue
		}
		in.Name = fmt.Sprintf("t%d", i)
		if in.data != nil {
			m.Buffers = append(m.Buffers, encode.Buffer{Data: in.data})
			in.Buffer = len(m.Buffers)
		} else if len(operator.Inputs) < len(inputs) && !in.Variable {
			s.Inputs = append(s.Inputs, i)
		}
		s.Tensors = append(s.Tensors, in.Tensor)
		if len(operator.Inputs) < len(inputs) {
			operator.Inputs = append(operator.Inputs, i)
		} else {
			operator.Outputs, s.Outputs = []int{i}, []int{i}
		}
	}
	s.Operators = []encode.Operator{operator}
	m.Subgraphs = []encode.Subgraph{s}
	parsed, err := tflite.Parse(encode.Encode(m), "test")
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// An example is a model and the operators that a rule makes of it, "" for none.
type example struct {
	name  string
	model *tflite.Model
	want  string
}

// lines returns several operators.
func lines(list ...string) string { return strings.Join(list, "\n") }

// checkRule compares what a rule makes of models with what is wanted.
func checkRule(t *testing.T, r *Rule, list ...example) {
	t.Helper()
	for _, e := range list {
		got := ""
		if found := find(e.model, rules.DefaultDevice(), []*Rule{r}, anywhere); len(found) > 0 {
			m, _, err := apply(e.model, found, nil, (&Options{}).rewrite())
			if err != nil {
				t.Errorf("%s: %v", e.name, err)
				continue
			}
			got = operatorsOf(m)
		}
		if got != e.want {
			t.Errorf("%s: got\n%s\nwant\n%s", e.name, got, e.want)
		}
	}
}

// operatorsOf returns the operators of a model, one a line, with their operands: types and shapes, and the
// numbers of INT32 constants. "TRANSPOSE INT8[2 3] (1 0) > INT8[3 2]".
func operatorsOf(m *tflite.Model) string {
	var list []string
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		o := &s.Operators[i]
		text := o.Name
		for k, t := range o.Inputs {
			values, ok := op.Ints(m, s.Operand(o.Inputs, k))
			switch {
			case t < 0:
				text += " -"
			case ok && s.Tensors[t].Type == i32 && len(values) <= 8:
				text += strings.NewReplacer("[", " (", "]", ")").Replace(fmt.Sprint(values))
			default:
				text += fmt.Sprintf(" %s", shortly(&s.Tensors[t]))
			}
		}
		text += " >"
		for _, t := range o.Outputs {
			text += " " + shortly(&s.Tensors[t])
		}
		list = append(list, text)
	}
	return strings.Join(list, "\n")
}

// shortly returns the type and shape of a tensor: "INT8[1 2]".
func shortly(t *tflite.Tensor) string { return fmt.Sprintf("%v%v", t.Type, t.Shape) }
