package sample

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Planned returns the model with a plan, written by nobody's rewriter.
func Planned(t TB, m encode.Model, offsets ...int32) *tflite.Model {
	t.Helper()
	return Build(t, WithPlan(m, PlanData(len(m.Subgraphs), offsets)))
}

// A Verdict is a law and how much it matters, as package verify calls them.
type Verdict struct{ Law, Severity string }

// A Variation is a model with a plan, and what there is to say about it.
type Variation struct {
	Name    string
	Model   encode.Model
	Offsets []int32
	Want    []Verdict
	// Message is a part of the first finding's message.
	Message string
}

// Change returns a model with a change made.
func Change(m encode.Model, f func(*encode.Model)) encode.Model {
	f(&m)
	return m
}

// State returns the chain with a variable that only the second operator reads.
func State() encode.Model {
	return Change(Chain(), func(m *encode.Model) {
		s := &m.Subgraphs[0]
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "state", Shape: []int32{1, 4}, Variable: true})
		s.Operators[1].Inputs = []int{2, 5}
	})
}

// Custom returns two inputs and scratch into one custom operator, and its output
// through another operator.
func Custom() encode.Model {
	f := func(name string) encode.Tensor { return encode.Tensor{Name: name, Shape: []int32{1, 4}} }
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Inputs: []int{0, 1}, Outputs: []int{4},
		Tensors: []encode.Tensor{f("in0"), f("in1"), f("scratch"), f("mid"), f("out")},
		Operators: []encode.Operator{
			{Custom: "ethos-u", Inputs: []int{0, 1, 2}, Outputs: []int{3}},
			{Builtin: schema.BuiltinOperatorADD, Inputs: []int{3, 0}, Outputs: []int{4}},
		},
	}}}
}

// branches returns a model whose second subgraph, run by CALL_ONCE, has two variables
// as its first tensors. In the first subgraph these are an input and a constant.
func branches() encode.Model {
	m := Chain()
	m.Subgraphs[0].Operators = append([]encode.Operator{{
		Builtin: schema.BuiltinOperatorCALL_ONCE, OptionsType: schema.BuiltinOptionsCallOnceOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.CallOnceOptionsStart(b)
			schema.CallOnceOptionsAddInitSubgraphIndex(b, 1)
			return schema.CallOnceOptionsEnd(b)
		},
	}}, m.Subgraphs[0].Operators...)
	m.Subgraphs = append(m.Subgraphs, encode.Subgraph{
		Tensors:   []encode.Tensor{{Name: "v", Shape: []int32{1, 4}, Variable: true}, {Name: "w", Shape: []int32{1, 4}, Variable: true}},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 1}}},
	})
	return m
}

// Variations returns plans that break each law, and plans that just do not.
func Variations() []Variation {
	overlap := []Verdict{{"overlap", "failure"}}
	first := func(f func(*encode.Tensor)) encode.Model {
		return Change(Chain(), func(m *encode.Model) { f(&m.Subgraphs[0].Tensors[2]) })
	}
	return []Variation{
		{"right", Chain(), ChainPlan, nil, ""},
		{"all online", Chain(), []int32{-1, -1, -1, -1, -1}, nil, ""},
		{"mixed", Chain(), []int32{-1, -1, 0, 16, -1}, nil, ""},

		{"below -1", Chain(), []int32{16, -1, -2, -1, -1}, []Verdict{{"offset", "failure"}}, `tensor 0:2 "a"`},
		{"misaligned", Chain(), []int32{0, -1, 24, -1, -1}, []Verdict{{"alignment", "failure"}}, "bytes 24 to 40"},
		{"end of int32", Chain(), []int32{0, -1, 1<<31 - 32, -1, -1}, nil, ""},
		{"beyond int32", Chain(), []int32{0, -1, 1<<31 - 16, -1, -1}, []Verdict{{"range", "failure"}}, "2147483632"},
		{
			"string", first(func(t *encode.Tensor) { t.Type = schema.TensorTypeSTRING }),
			[]int32{-1, -1, 0, -1, -1},
			[]Verdict{{"size", "failure"}},
			"static size",
		},
		{
			"unknown shape", first(func(t *encode.Tensor) { t.Shape = []int32{-1, 4} }),
			[]int32{-1, -1, 0, -1, -1},
			[]Verdict{{"size", "failure"}},
			"unknown dimensions",
		},

		{"neighbours", Chain(), []int32{0, -1, 0, 16, 0}, overlap, `tensor 0:0 "in" (positions 0 to 1, bytes 0 to 16) and tensor 0:2 "a" (positions 1 to 2, bytes 0 to 16)`},
		{"in part", first(func(t *encode.Tensor) { t.Shape = []int32{1, 5} }), []int32{-1, -1, 0, 16, -1}, overlap, "bytes 0 to 32"},
		{"later", Chain(), []int32{0, -1, 16, 0, 0}, overlap, `"b"`},
		{"two", Chain(), []int32{0, -1, 0, 0, 16}, []Verdict{{"overlap", "failure"}, {"overlap", "failure"}}, ""},

		{"constant", Chain(), []int32{0, 0, 16, 0, 16}, []Verdict{{"ignored", "note"}}, "ignores (constant): 1"},
		{
			"zero size", first(func(t *encode.Tensor) { t.Shape = []int32{0} }),
			[]int32{0, -1, 0, 16, 0},
			[]Verdict{{"ignored", "note"}},
			"zero size",
		},
		{"handle", Change(Chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "h", Type: schema.TensorTypeRESOURCE})
			s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorVAR_HANDLE, Outputs: []int{5}})
		}), []int32{0, -1, 16, 0, 16, 0}, []Verdict{{"ignored", "note"}}, "variable handle"},
		{"unused", Change(Chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "orphan", Shape: []int32{100}}, encode.Tensor{Name: "orphan"})
		}), []int32{0, -1, 16, 0, 16, 0, 0}, []Verdict{{"unused", "note"}}, "the same: 2"},

		{"variable left alone", State(), []int32{0, -1, 16, 0, 16, -1}, nil, ""},
		{"variable kept", State(), []int32{0, -1, 16, 0, 16, 32}, []Verdict{{"variable", "note"}}, "scratch"},
		{
			"variable overlapped while read", State(),
			[]int32{0, -1, 16, 0, 48, 16},
			[]Verdict{{"overlap", "failure"}, {"variable", "note"}},
			`"state"`,
		},
		{
			"variable overlapped after its last reader", State(),
			[]int32{0, -1, 16, 0, 32, 32},
			[]Verdict{{"variable", "failure"}, {"variable", "note"}},
			`"out"`,
		},
		{
			"variable taken over by the output of an element-wise operator", Change(State(), func(m *encode.Model) {
				s := &m.Subgraphs[0]
				s.Operators = append([]encode.Operator{}, s.Operators...)
				s.Operators[1].Builtin = schema.BuiltinOperatorADD
			}),
			[]int32{0, -1, 16, 32, 0, 32},
			[]Verdict{{"overlap", "failure"}, {"variable", "note"}},
			`"state"`,
		},
		{"variable beside online tensors", State(), []int32{-1, -1, -1, -1, -1, 32}, []Verdict{{"variable", "failure"}}, `free to place tensor 0:4 "out"`},

		{
			"variable of a later subgraph never placed", branches(),
			[]int32{0, -1, 16, 0, 16, -1, -1},
			[]Verdict{{"variable entry", "failure"}},
			"variable 1:0",
		},
		{
			"variable of a later subgraph placed twice", branches(),
			[]int32{0, -1, 16, 0, 16, 48, 32},
			[]Verdict{{"variable", "note"}, {"variable", "note"}, {"variable entry", "note"}},
			"",
		},
		{"variable of a later subgraph left alone", branches(), []int32{-1, -1, 0, 16, 0, -1, -1}, nil, ""},

		{
			"scratch over the operands", Custom(),
			[]int32{0, 16, 0, 32, 16},
			[]Verdict{{"overlap", "aliasing"}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"scratch over a bystander", Change(Custom(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Operators[0].Inputs, s.Operators[1].Inputs = []int{0, 2}, []int{3, 1}
		}), []int32{0, 16, 16, 32, 0}, []Verdict{{"overlap", "aliasing"}}, "0:2 is scratch of custom operators"},
		{
			"operands of one custom operator", Custom(),
			[]int32{0, 16, 48, 16, 32},
			[]Verdict{{"overlap", "aliasing"}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"a variable of a custom operator", Change(Custom(), func(m *encode.Model) {
			m.Subgraphs[0].Tensors[2].Variable = true
		}), []int32{0, 16, 32, 32, 48}, []Verdict{{"overlap", "failure"}, {"variable", "note"}}, "while both are alive"},
		{"an operand that lives on", Custom(), []int32{0, 16, 48, 0, 32}, overlap, `"in0"`},
		{"two inputs", Custom(), []int32{0, 0, 48, 16, 32}, overlap, `"in1"`},
	}
}
