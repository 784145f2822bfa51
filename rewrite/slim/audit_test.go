package slim

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/schema"
)

// audited returns a model with content in every part that the audit compares.
func audited() encode.Model {
	q := encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{3}}
	tensor := func(name string, buffer int) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: []int32{1, 4}, Buffer: buffer, Quantization: q}
	}
	softmax := func(beta float32) func(*flatbuffers.Builder) flatbuffers.UOffsetT {
		return func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SoftmaxOptionsStart(b)
			schema.SoftmaxOptionsAddBeta(b, beta)
			return schema.SoftmaxOptionsEnd(b)
		}
	}
	return encode.Model{
		Subgraphs: []encode.Subgraph{{
			Inputs: []int{0, 1}, Outputs: []int{4},
			Tensors: []encode.Tensor{tensor("a", 0), tensor("b", 0), tensor("weights", 1), tensor("sum", 0), tensor("out", 0), tensor("unused", 0)},
			Operators: []encode.Operator{
				{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 2}, Outputs: []int{3}},
				{Builtin: schema.BuiltinOperatorSOFTMAX, Inputs: []int{3}, Outputs: []int{4}, OptionsType: schema.BuiltinOptionsSoftmaxOptions, Options: softmax(1)},
			},
		}},
		Buffers:    []encode.Buffer{{Data: []byte{1, 2, 3, 4}}, {Data: []byte("1.5.0")}},
		Metadata:   []encode.Metadata{{Name: "min_runtime_version", Buffer: 2}},
		Signatures: []encode.Signature{{Key: "serve", Inputs: map[string]int{"x": 0}, Outputs: map[string]int{"y": 4}}},
		Tail:       []byte("behind"),
	}
}

// TestAudit: the audit accepts what slimming may change and finds every other change.
func TestAudit(t *testing.T) {
	m := modelfile.Build(t, audited())
	for _, c := range []struct {
		name   string
		wrong  bool
		change func(m *encode.Model, s *encode.Subgraph)
	}{
		{"nothing", false, func(*encode.Model, *encode.Subgraph) {}},
		{"description", false, func(m *encode.Model, _ *encode.Subgraph) { m.Description = "another" }},
		{"name of an intermediate tensor", false, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Name = "" }},
		{"unused tensor", false, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors = s.Tensors[:5] }},

		{"version", true, func(m *encode.Model, _ *encode.Subgraph) { m.Version = 2 }},
		{"identifier", true, func(m *encode.Model, _ *encode.Subgraph) { m.Anonymous = true }},
		{"number of subgraphs", true, func(m *encode.Model, _ *encode.Subgraph) { m.Subgraphs = append(m.Subgraphs, encode.Subgraph{}) }},
		{"order of the inputs", true, func(_ *encode.Model, s *encode.Subgraph) { s.Inputs = []int{1, 0} }},
		{"another name of an intermediate tensor", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Name = "x" }},
		{"name of an input", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[0].Name = "" }},
		{"name of the output", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[4].Name = "" }},
		{"shape", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Shape = []int32{4, 1} }},
		{"shape of an unused tensor", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[5].Shape = []int32{4, 1} }},
		{"type", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Type = schema.TensorTypeUINT8 }},
		{"variable", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Variable = true }},
		{"rank", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].HasRank = true }},
		{"scale", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Quantization.Scales = []float32{0.25} }},
		{"zero point", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Quantization.Zeros = []int64{0} }},
		{"quantisation", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[3].Quantization = encode.Quantization{} }},
		{"data", true, func(m *encode.Model, _ *encode.Subgraph) { m.Buffers[0].Data = []byte{1, 2, 3, 5} }},
		{"no data", true, func(_ *encode.Model, s *encode.Subgraph) { s.Tensors[2].Buffer = 0 }},
		{"operand", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[0].Inputs = []int{0, 0} }},
		{"another operand", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[0].Inputs = []int{1, 2} }},
		{"omitted operand", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[0].Inputs = []int{0, -1} }},
		{"code", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[0].Builtin = schema.BuiltinOperatorSUB }},
		{"version of a code", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[0].Version = 2 }},
		{"old code", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[1].Old = true }},
		{"no options", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators[1].Options = nil }},
		{"options", true, func(_ *encode.Model, s *encode.Subgraph) {
			s.Operators[1].Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.SoftmaxOptionsStart(b)
				schema.SoftmaxOptionsAddBeta(b, 2)
				return schema.SoftmaxOptionsEnd(b)
			}
		}},
		{"no operator", true, func(_ *encode.Model, s *encode.Subgraph) { s.Operators = s.Operators[:1] }},
		{"key of the signature", true, func(m *encode.Model, _ *encode.Subgraph) { m.Signatures[0].Key = "train" }},
		{"tensor of the signature", true, func(m *encode.Model, _ *encode.Subgraph) { m.Signatures[0].Inputs = map[string]int{"x": 1} }},
		{"name in the signature", true, func(m *encode.Model, _ *encode.Subgraph) { m.Signatures[0].Inputs = map[string]int{"z": 0} }},
		{"no metadata", true, func(m *encode.Model, _ *encode.Subgraph) { m.Metadata = nil }},
		{"metadata", true, func(m *encode.Model, _ *encode.Subgraph) { m.Buffers[1].Data = []byte("1.6.0") }},
		{"bytes after the flatbuffer", true, func(m *encode.Model, _ *encode.Subgraph) { m.Tail = []byte("beyond") }},
		{"no bytes after the flatbuffer", true, func(m *encode.Model, _ *encode.Subgraph) { m.Tail = nil }},
	} {
		source := audited()
		c.change(&source, &source.Subgraphs[0])
		if err := audit(m, encode.Encode(source)); (err != nil) != c.wrong {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
