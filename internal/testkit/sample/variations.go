package sample

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Planned returns the model with a plan, written without the rewriter.
func Planned(t TB, m encode.Model, offsets ...int32) *tflite.Model {
	t.Helper()
	return modelfile.Build(t, WithPlan(m, PlanData(len(m.Subgraphs), offsets)))
}

// Verdict is a law and its severity, named as in package verify.
type Verdict struct{ Law, Severity string }

// Variation is a model with a plan and the expected findings.
type Variation struct {
	Name    string
	Model   encode.Model
	Offsets []int32
	Want    []Verdict
	// Message is a substring of the first finding's message.
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

// Custom returns a model with two inputs and scratch read by one custom operator, whose output
// passes through another operator.
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

// branches returns a model whose second subgraph, called by CALL_ONCE, has two variables as its
// first tensors. In the first subgraph these are an input and a constant.
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

// Variations returns plans that break each law, and plans that barely comply.
func Variations() []Variation {
	overlap := []Verdict{{"overlap", "failure"}}
	first := func(f func(*encode.Tensor)) encode.Model {
		return Change(Chain(), func(m *encode.Model) { f(&m.Subgraphs[0].Tensors[2]) })
	}
	return []Variation{
		{Name: "right", Model: Chain(), Offsets: ChainPlan, Want: nil, Message: ""},
		{Name: "all online", Model: Chain(), Offsets: []int32{-1, -1, -1, -1, -1}, Want: nil, Message: ""},
		{Name: "mixed", Model: Chain(), Offsets: []int32{-1, -1, 0, 16, -1}, Want: nil, Message: ""},

		{Name: "below -1", Model: Chain(), Offsets: []int32{16, -1, -2, -1, -1}, Want: []Verdict{{"offset", "failure"}}, Message: `tensor 0:2 "a"`},
		{Name: "misaligned", Model: Chain(), Offsets: []int32{0, -1, 24, -1, -1}, Want: []Verdict{{"alignment", "failure"}}, Message: "bytes 24 to 40"},
		{Name: "end of int32", Model: Chain(), Offsets: []int32{0, -1, 1<<31 - 32, -1, -1}, Want: nil, Message: ""},
		{Name: "beyond int32", Model: Chain(), Offsets: []int32{0, -1, 1<<31 - 16, -1, -1}, Want: []Verdict{{"range", "failure"}}, Message: "2,147,483,632"},
		{
			Name: "string", Model: first(func(t *encode.Tensor) { t.Type = schema.TensorTypeSTRING }),
			Offsets: []int32{-1, -1, 0, -1, -1},
			Want:    []Verdict{{"size", "failure"}},
			Message: "static size",
		},
		{
			Name: "unknown shape", Model: first(func(t *encode.Tensor) { t.Shape = []int32{-1, 4} }),
			Offsets: []int32{-1, -1, 0, -1, -1},
			Want:    []Verdict{{"size", "failure"}},
			Message: "unknown dimensions",
		},

		{Name: "neighbours", Model: Chain(), Offsets: []int32{0, -1, 0, 16, 0}, Want: overlap, Message: `tensor 0:0 "in" (positions 0 to 1, bytes 0 to 16) and tensor 0:2 "a" (positions 1 to 2, bytes 0 to 16)`},
		{Name: "in part", Model: first(func(t *encode.Tensor) { t.Shape = []int32{1, 5} }), Offsets: []int32{-1, -1, 0, 16, -1}, Want: overlap, Message: "bytes 0 to 32"},
		{Name: "later", Model: Chain(), Offsets: []int32{0, -1, 16, 0, 0}, Want: overlap, Message: `"b"`},
		{Name: "two", Model: Chain(), Offsets: []int32{0, -1, 0, 0, 16}, Want: []Verdict{{"overlap", "failure"}, {"overlap", "failure"}}, Message: ""},

		{Name: "constant", Model: Chain(), Offsets: []int32{0, 0, 16, 0, 16}, Want: []Verdict{{"ignored", "note"}}, Message: "ignores (constant): 1"},
		{
			Name: "zero size", Model: first(func(t *encode.Tensor) { t.Shape = []int32{0} }),
			Offsets: []int32{0, -1, 0, 16, 0},
			Want:    []Verdict{{"ignored", "note"}},
			Message: "zero size",
		},
		{Name: "handle", Model: Change(Chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "h", Type: schema.TensorTypeRESOURCE})
			s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorVAR_HANDLE, Outputs: []int{5}})
		}), Offsets: []int32{0, -1, 16, 0, 16, 0}, Want: []Verdict{{"ignored", "note"}}, Message: "variable handle"},
		{Name: "unused", Model: Change(Chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "orphan", Shape: []int32{100}}, encode.Tensor{Name: "orphan"})
		}), Offsets: []int32{0, -1, 16, 0, 16, 0, 0}, Want: []Verdict{{"unused", "note"}}, Message: "the same: 2"},

		{Name: "variable left alone", Model: State(), Offsets: []int32{0, -1, 16, 0, 16, -1}, Want: nil, Message: ""},
		{Name: "variable kept", Model: State(), Offsets: []int32{0, -1, 16, 0, 16, 32}, Want: []Verdict{{"variable", "note"}}, Message: "scratch"},
		{
			Name: "variable overlapped while read", Model: State(),
			Offsets: []int32{0, -1, 16, 0, 48, 16},
			Want:    []Verdict{{"overlap", "failure"}, {"variable", "note"}},
			Message: `"state"`,
		},
		{
			Name: "variable overlapped after its last reader", Model: State(),
			Offsets: []int32{0, -1, 16, 0, 32, 32},
			Want:    []Verdict{{"variable", "failure"}, {"variable", "note"}},
			Message: `"out"`,
		},
		{
			Name: "variable taken over by the output of an element-wise operator", Model: Change(State(), func(m *encode.Model) {
				s := &m.Subgraphs[0]
				s.Operators = append([]encode.Operator{}, s.Operators...)
				s.Operators[1].Builtin = schema.BuiltinOperatorADD
			}),
			Offsets: []int32{0, -1, 16, 32, 0, 32},
			Want:    []Verdict{{"overlap", "failure"}, {"variable", "note"}},
			Message: `"state"`,
		},
		{Name: "variable beside online tensors", Model: State(), Offsets: []int32{-1, -1, -1, -1, -1, 32}, Want: []Verdict{{"variable", "failure"}}, Message: `free to place tensor 0:4 "out"`},

		{
			Name: "variable of a later subgraph never placed", Model: branches(),
			Offsets: []int32{0, -1, 16, 0, 16, -1, -1},
			Want:    []Verdict{{"variable entry", "failure"}},
			Message: "variable 1:0",
		},
		{
			Name: "variable of a later subgraph placed twice", Model: branches(),
			Offsets: []int32{0, -1, 16, 0, 16, 48, 32},
			Want:    []Verdict{{"variable", "note"}, {"variable", "note"}, {"variable entry", "note"}},
			Message: "",
		},
		{Name: "variable of a later subgraph left alone", Model: branches(), Offsets: []int32{-1, -1, 0, 16, 0, -1, -1}, Want: nil, Message: ""},

		{
			Name: "scratch over the operands", Model: Custom(),
			Offsets: []int32{0, 16, 0, 32, 16},
			Want:    []Verdict{{"overlap", "aliasing"}},
			Message: `belong to the custom operator "ethos-u" alone`,
		},
		{Name: "scratch over a bystander", Model: Change(Custom(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Operators[0].Inputs, s.Operators[1].Inputs = []int{0, 2}, []int{3, 1}
		}), Offsets: []int32{0, 16, 16, 32, 0}, Want: []Verdict{{"overlap", "aliasing"}}, Message: "0:2 is scratch of custom operators"},
		{
			Name: "operands of one custom operator", Model: Custom(),
			Offsets: []int32{0, 16, 48, 16, 32},
			Want:    []Verdict{{"overlap", "aliasing"}},
			Message: `belong to the custom operator "ethos-u" alone`,
		},
		{Name: "a variable of a custom operator", Model: Change(Custom(), func(m *encode.Model) {
			m.Subgraphs[0].Tensors[2].Variable = true
		}), Offsets: []int32{0, 16, 32, 32, 48}, Want: []Verdict{{"overlap", "failure"}, {"variable", "note"}}, Message: "while both are alive"},
		{Name: "an operand that lives on", Model: Custom(), Offsets: []int32{0, 16, 48, 0, 32}, Want: overlap, Message: `"in0"`},
		{Name: "two inputs", Model: Custom(), Offsets: []int32{0, 0, 48, 16, 32}, Want: overlap, Message: `"in1"`},
	}
}
