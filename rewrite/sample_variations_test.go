package rewrite

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// planned returns the model with a plan, written by nobody's rewriter.
func planned(t fataler, m encode.Model, offsets ...int32) *tflite.Model {
	t.Helper()
	return build(t, withPlan(m, planData(len(m.Subgraphs), offsets)))
}

// A plainVerdict is a law and how much it matters, as package verify calls them.
type plainVerdict struct{ law, severity string }

// A variation is a model with a plan, and what there is to say about it.
type variation struct {
	name    string
	model   encode.Model
	offsets []int32
	want    []plainVerdict
	// message is a part of the first finding's message.
	message string
}

func change(m encode.Model, f func(*encode.Model)) encode.Model {
	f(&m)
	return m
}

// state returns the chain with a variable that only the second operator reads.
func state() encode.Model {
	return change(chain(), func(m *encode.Model) {
		s := &m.Subgraphs[0]
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "state", Shape: []int32{1, 4}, Variable: true})
		s.Operators[1].Inputs = []int{2, 5}
	})
}

// custom returns two inputs and scratch into one custom operator, and its output
// through another operator.
func custom() encode.Model {
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
	m := chain()
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

func variations() []variation {
	overlap := []plainVerdict{{"overlap", "failure"}}
	first := func(f func(*encode.Tensor)) encode.Model {
		return change(chain(), func(m *encode.Model) { f(&m.Subgraphs[0].Tensors[2]) })
	}
	return []variation{
		{"right", chain(), chainPlan, nil, ""},
		{"all online", chain(), []int32{-1, -1, -1, -1, -1}, nil, ""},
		{"mixed", chain(), []int32{-1, -1, 0, 16, -1}, nil, ""},

		{"below -1", chain(), []int32{16, -1, -2, -1, -1}, []plainVerdict{{"offset", "failure"}}, `tensor 0:2 "a"`},
		{"misaligned", chain(), []int32{0, -1, 24, -1, -1}, []plainVerdict{{"alignment", "failure"}}, "bytes 24 to 40"},
		{"end of int32", chain(), []int32{0, -1, 1<<31 - 32, -1, -1}, nil, ""},
		{"beyond int32", chain(), []int32{0, -1, 1<<31 - 16, -1, -1}, []plainVerdict{{"range", "failure"}}, "2147483632"},
		{
			"string", first(func(t *encode.Tensor) { t.Type = schema.TensorTypeSTRING }),
			[]int32{-1, -1, 0, -1, -1},
			[]plainVerdict{{"size", "failure"}},
			"static size",
		},
		{
			"unknown shape", first(func(t *encode.Tensor) { t.Shape = []int32{-1, 4} }),
			[]int32{-1, -1, 0, -1, -1},
			[]plainVerdict{{"size", "failure"}},
			"unknown dimensions",
		},

		{"neighbours", chain(), []int32{0, -1, 0, 16, 0}, overlap, `tensor 0:0 "in" (positions 0 to 1, bytes 0 to 16) and tensor 0:2 "a" (positions 1 to 2, bytes 0 to 16)`},
		{"in part", first(func(t *encode.Tensor) { t.Shape = []int32{1, 5} }), []int32{-1, -1, 0, 16, -1}, overlap, "bytes 0 to 32"},
		{"later", chain(), []int32{0, -1, 16, 0, 0}, overlap, `"b"`},
		{"two", chain(), []int32{0, -1, 0, 0, 16}, []plainVerdict{{"overlap", "failure"}, {"overlap", "failure"}}, ""},

		{"constant", chain(), []int32{0, 0, 16, 0, 16}, []plainVerdict{{"ignored", "note"}}, "ignores (constant): 1"},
		{
			"zero size", first(func(t *encode.Tensor) { t.Shape = []int32{0} }),
			[]int32{0, -1, 0, 16, 0},
			[]plainVerdict{{"ignored", "note"}},
			"zero size",
		},
		{"handle", change(chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "h", Type: schema.TensorTypeRESOURCE})
			s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorVAR_HANDLE, Outputs: []int{5}})
		}), []int32{0, -1, 16, 0, 16, 0}, []plainVerdict{{"ignored", "note"}}, "variable handle"},
		{"unused", change(chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "orphan", Shape: []int32{100}}, encode.Tensor{Name: "orphan"})
		}), []int32{0, -1, 16, 0, 16, 0, 0}, []plainVerdict{{"unused", "note"}}, "the same: 2"},

		{"variable left alone", state(), []int32{0, -1, 16, 0, 16, -1}, nil, ""},
		{"variable kept", state(), []int32{0, -1, 16, 0, 16, 32}, []plainVerdict{{"variable", "note"}}, "scratch"},
		{
			"variable overlapped while read", state(),
			[]int32{0, -1, 16, 0, 48, 16},
			[]plainVerdict{{"overlap", "failure"}, {"variable", "note"}},
			`"state"`,
		},
		{
			"variable overlapped after its last reader", state(),
			[]int32{0, -1, 16, 0, 32, 32},
			[]plainVerdict{{"variable", "failure"}, {"variable", "note"}},
			`"out"`,
		},
		{
			"variable taken over by the output of an element-wise operator", change(state(), func(m *encode.Model) {
				s := &m.Subgraphs[0]
				s.Operators = append([]encode.Operator{}, s.Operators...)
				s.Operators[1].Builtin = schema.BuiltinOperatorADD
			}),
			[]int32{0, -1, 16, 32, 0, 32},
			[]plainVerdict{{"overlap", "failure"}, {"variable", "note"}},
			`"state"`,
		},
		{"variable beside online tensors", state(), []int32{-1, -1, -1, -1, -1, 32}, []plainVerdict{{"variable", "failure"}}, `free to place tensor 0:4 "out"`},

		{
			"variable of a later subgraph never placed", branches(),
			[]int32{0, -1, 16, 0, 16, -1, -1},
			[]plainVerdict{{"variable entry", "failure"}},
			"variable 1:0",
		},
		{
			"variable of a later subgraph placed twice", branches(),
			[]int32{0, -1, 16, 0, 16, 48, 32},
			[]plainVerdict{{"variable", "note"}, {"variable", "note"}, {"variable entry", "note"}},
			"",
		},
		{"variable of a later subgraph left alone", branches(), []int32{-1, -1, 0, 16, 0, -1, -1}, nil, ""},

		{
			"scratch over the operands", custom(),
			[]int32{0, 16, 0, 32, 16},
			[]plainVerdict{{"overlap", "aliasing"}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"scratch over a bystander", change(custom(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Operators[0].Inputs, s.Operators[1].Inputs = []int{0, 2}, []int{3, 1}
		}), []int32{0, 16, 16, 32, 0}, []plainVerdict{{"overlap", "aliasing"}}, "0:2 is scratch of custom operators"},
		{
			"operands of one custom operator", custom(),
			[]int32{0, 16, 48, 16, 32},
			[]plainVerdict{{"overlap", "aliasing"}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"a variable of a custom operator", change(custom(), func(m *encode.Model) {
			m.Subgraphs[0].Tensors[2].Variable = true
		}), []int32{0, 16, 32, 32, 48}, []plainVerdict{{"overlap", "failure"}, {"variable", "note"}}, "while both are alive"},
		{"an operand that lives on", custom(), []int32{0, 16, 48, 0, 32}, overlap, `"in0"`},
		{"two inputs", custom(), []int32{0, 0, 48, 16, 32}, overlap, `"in1"`},
	}
}
