package tflite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// drawModel draws a model without constants: any graph of tensors and operators.
func drawModel(t *rapid.T) encode.Model {
	var m encode.Model
	for range rapid.IntRange(1, 3).Draw(t, "subgraphs") {
		m.Subgraphs = append(m.Subgraphs, drawSubgraph(t))
	}
	m.Description = rapid.String().Draw(t, "description")
	return m
}

func drawSubgraph(t *rapid.T) encode.Subgraph {
	s := encode.Subgraph{Name: rapid.String().Draw(t, "name")}
	for range rapid.IntRange(1, 8).Draw(t, "tensors") {
		s.Tensors = append(s.Tensors, encode.Tensor{
			Name:     rapid.String().Draw(t, "tensor"),
			Type:     schema.TensorType(rapid.IntRange(0, 22).Draw(t, "type")),
			Shape:    rapid.SliceOfN(rapid.Int32Range(-1, 1<<31-1), 0, 5).Draw(t, "shape"),
			HasRank:  rapid.Bool().Draw(t, "rank"),
			Variable: rapid.Bool().Draw(t, "variable"),
		})
	}
	index := func(least int) *rapid.Generator[[]int] {
		return rapid.SliceOfN(rapid.IntRange(least, len(s.Tensors)-1), 0, 5)
	}
	s.Inputs, s.Outputs = index(0).Draw(t, "in"), index(0).Draw(t, "out")
	for range rapid.IntRange(0, 6).Draw(t, "operators") {
		o := encode.Operator{
			Builtin:       schema.BuiltinOperator(rapid.SampledFrom([]int{0, 3, 126, 128, 209, 250}).Draw(t, "code")),
			Custom:        rapid.SampledFrom([]string{"", "", "Mine"}).Draw(t, "custom"),
			Inputs:        index(-1).Draw(t, "inputs"),
			Outputs:       index(-1).Draw(t, "outputs"),
			Intermediates: index(0).Draw(t, "intermediates"),
		}
		if o.Custom != "" {
			o.Builtin = schema.BuiltinOperatorCUSTOM
		}
		// Whether ADD, which is 0, stands in the old field or in the new, nobody knows.
		o.Old = o.Builtin > 0 && o.Builtin < 127 && rapid.Bool().Draw(t, "old")
		s.Operators = append(s.Operators, o)
	}
	return s
}

// What is encoded is what is read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := drawModel(t)
		m, err := parse(encode.Encode(source), "drawn")
		if err != nil {
			t.Fatal(err)
		}
		checkLaws(t, m)
		got := encode.Model{Description: m.Description}
		for _, s := range m.Subgraphs {
			got.Subgraphs = append(got.Subgraphs, encoded(m, s))
		}
		if diff := cmp.Diff(source, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("written and read differ (-written +read):\n%s", diff)
		}
	})
}

// encoded returns what a subgraph was encoded from.
func encoded(m *Model, s Subgraph) encode.Subgraph {
	out := encode.Subgraph{Name: s.Name, Inputs: s.Inputs, Outputs: s.Outputs}
	for _, t := range s.Tensors {
		out.Tensors = append(out.Tensors, encode.Tensor{
			Name: t.Name, Type: t.Type, Shape: t.Shape, HasRank: t.HasRank, Variable: t.Variable,
		})
	}
	for _, o := range s.Operators {
		c := m.OperatorCodes[o.Code]
		op := encode.Operator{
			Builtin: c.Builtin, Custom: c.Custom, Old: c.NewField == 0 && c.Builtin != 0,
			Inputs: o.Inputs, Outputs: o.Outputs, Intermediates: o.Intermediates,
		}
		out.Operators = append(out.Operators, op)
	}
	return out
}

func TestOperatorNames(t *testing.T) {
	for _, c := range []struct {
		code OperatorCode
		want string
	}{
		{OperatorCode{Builtin: schema.BuiltinOperatorCONV_2D}, "CONV_2D"},
		{OperatorCode{Builtin: 9999}, "BUILTIN_9999"},
		{OperatorCode{Builtin: schema.BuiltinOperatorCUSTOM, Custom: "Mine"}, "Mine"},
		{OperatorCode{Builtin: schema.BuiltinOperatorCUSTOM}, "CUSTOM"},
	} {
		if got := c.code.Name(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.code, got, c.want)
		}
	}
}
