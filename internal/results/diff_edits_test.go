package results

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
)

// fork is a model in which two operators may change places, with everything that a
// difference can be about.
func fork() encode.Model {
	op := func(code schema.BuiltinOperator, in []int, out ...int) encode.Operator {
		return encode.Operator{Builtin: code, Inputs: in, Outputs: out}
	}
	shape := func(name string, n int32) encode.Tensor { return encode.Tensor{Name: name, Shape: []int32{1, n}} }
	weights := shape("weights", 4)
	weights.Buffer = 1
	reshape := op(schema.BuiltinOperatorRESHAPE, []int{5}, 6)
	reshape.OptionsType = schema.BuiltinOptionsReshapeOptions
	reshape.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return newShapeOptions(b, 8) }
	softmax := op(schema.BuiltinOperatorSOFTMAX, []int{6}, 7)
	softmax.OptionsType = schema.BuiltinOptionsSoftmaxOptions
	softmax.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return beta(b, 1) }
	return encode.Model{
		Description: "fork",
		Subgraphs: []encode.Subgraph{{
			Name: "main", Inputs: []int{0}, Outputs: []int{7},
			Tensors: []encode.Tensor{
				shape("in", 4), weights, shape("left", 8), shape("right", 16), shape("wide", 8), shape("sum", 8), shape("flat", 8), shape("out", 8),
			},
			Operators: []encode.Operator{
				op(schema.BuiltinOperatorFULLY_CONNECTED, []int{0, 1}, 2), op(schema.BuiltinOperatorRELU, []int{0}, 3),
				op(schema.BuiltinOperatorMEAN, []int{3}, 4), op(schema.BuiltinOperatorADD, []int{2, 4}, 5), reshape, softmax,
			},
		}},
		Buffers:    []encode.Buffer{{Data: []byte("0123456789abcdef")}, {Data: []byte("1.5.0")}},
		Metadata:   []encode.Metadata{{Name: "version", Buffer: 2}},
		Signatures: []encode.Signature{{Key: "main", Inputs: map[string]int{"x": 0}, Outputs: map[string]int{"y": 7}}},
	}
}

func newShapeOptions(b *flatbuffers.Builder, n int32) flatbuffers.UOffsetT {
	schema.ReshapeOptionsStartNewShapeVector(b, 2)
	b.PrependInt32(n)
	b.PrependInt32(1)
	shape := b.EndVector(2)
	schema.ReshapeOptionsStart(b)
	schema.ReshapeOptionsAddNewShape(b, shape)
	return schema.ReshapeOptionsEnd(b)
}

func beta(b *flatbuffers.Builder, x float32) flatbuffers.UOffsetT {
	schema.SoftmaxOptionsStart(b)
	schema.SoftmaxOptionsAddBeta(b, x)
	return schema.SoftmaxOptionsEnd(b)
}

func withPlan(m encode.Model, offsets ...int32) encode.Model {
	var data []byte
	for _, w := range append([]int32{1, 1, int32(len(offsets))}, offsets...) {
		data = binary.LittleEndian.AppendUint32(data, uint32(w))
	}
	return withMetadata(m, rewrite.PlanName, data)
}

func withMetadata(m encode.Model, name string, data []byte) encode.Model {
	m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
	m.Metadata = append(m.Metadata, encode.Metadata{Name: name, Buffer: len(m.Buffers)})
	return m
}

// edits change one thing each, with the expected text, in both directions.
var edits = []struct {
	name string
	edit func(m *encode.Model)
	want []Difference
}{
	{"nothing", func(*encode.Model) {}, nil},
	{"order", func(m *encode.Model) { o := m.Subgraphs[0].Operators; o[0], o[1], o[2] = o[1], o[2], o[0] }, []Difference{"order"}},
	{"option", func(m *encode.Model) {
		m.Subgraphs[0].Operators[5].Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return beta(b, 2) }
	}, []Difference{"operators"}},
	{"option list", func(m *encode.Model) {
		m.Subgraphs[0].Operators[4].Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return newShapeOptions(b, -1) }
	}, []Difference{"operators"}},
	{"kind", func(m *encode.Model) { m.Subgraphs[0].Operators[1].Builtin = schema.BuiltinOperatorRELU6 }, []Difference{"operators"}},
	{"version", func(m *encode.Model) { m.Subgraphs[0].Operators[1].Version = 2 }, []Difference{"operators"}},
	{"inputs", func(m *encode.Model) { m.Subgraphs[0].Operators[3].Inputs = []int{4, 2} }, []Difference{"operators"}},
	{"optional input", func(m *encode.Model) { m.Subgraphs[0].Operators[3].Inputs = []int{2, 4, -1} }, []Difference{"operators"}},
	{"intermediates", func(m *encode.Model) { m.Subgraphs[0].Operators[3].Intermediates = []int{1} }, []Difference{"operators"}},
	{"shape", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Shape = []int32{1, 32} }, []Difference{"tensors"}},
	{"type", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Type = schema.TensorTypeINT8 }, []Difference{"tensors"}},
	{"name", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Name = "renamed" }, []Difference{"tensors"}},
	{"all names", func(m *encode.Model) {
		for i := range m.Subgraphs[0].Tensors {
			m.Subgraphs[0].Tensors[i].Name = ""
		}
	}, []Difference{"tensors"}},
	{"variable", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Variable = true }, []Difference{"tensors"}},
	{"data", func(m *encode.Model) { m.Buffers[0].Data = []byte("0123456789abcdeX") }, []Difference{"data"}},
	{"plan", func(m *encode.Model) { *m = withPlan(*m, 0, -1, 16, -1, -1, -1, -1, -1) }, []Difference{"plan"}},
	{"broken plan", func(m *encode.Model) {
		*m = withPlan(*m)
		plan := &m.Buffers[len(m.Buffers)-1]
		plan.Data = plan.Data[:8]
	}, []Difference{"plan"}},
	{"marker", func(m *encode.Model) {
		*m = withMetadata(*m, rewrite.MarkerName, []byte(`{"version":1,"alias":"diagonal","kernels":"reference"}`))
	}, []Difference{"plan"}},
	{"broken marker", func(m *encode.Model) { *m = withMetadata(*m, rewrite.MarkerName, nil) }, []Difference{"plan"}},
	{"metadata", func(m *encode.Model) { m.Metadata[0].Name = "other" }, []Difference{"metadata"}},
	{"metadata's data", func(m *encode.Model) { m.Buffers[1].Data = []byte("1.6.0") }, []Difference{"metadata"}},
	{"description", func(m *encode.Model) { m.Description = "" }, []Difference{"other"}},
	{"signature", func(m *encode.Model) { m.Signatures[0].Key = "serve" }, []Difference{"other"}},
	{"tail", func(m *encode.Model) { m.Tail = []byte("nobody knows this") }, []Difference{"other"}},
	{"inputs of the model", func(m *encode.Model) { m.Subgraphs[0].Inputs = []int{0, 0} }, []Difference{"other"}},
	{"padding", func(m *encode.Model) { m.Tail = make([]byte, 8) }, []Difference{"encoding"}},
	{"operator and tensor", func(m *encode.Model) {
		s := &m.Subgraphs[0]
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "extra", Shape: []int32{4}})
		s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorTANH, Inputs: []int{2}, Outputs: []int{8}})
	}, []Difference{"operators", "tensors"}},
	{"subgraph", func(m *encode.Model) { m.Subgraphs = append(m.Subgraphs, encode.Subgraph{Name: "empty"}) }, []Difference{"other"}},
}
