package rewrite

import (
	"bytes"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// planned returns the model with a plan, written by nobody's rewriter.
func planned(t fataler, m encode.Model, offsets ...int32) *tflite.Model {
	t.Helper()
	return build(t, withPlan(m, encodePlan(len(m.Subgraphs), offsets)))
}

func verify(t fataler, m *tflite.Model) *Verification {
	t.Helper()
	v, err := Verify(m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A law and how much it matters.
type verdict struct {
	Law      Law
	Severity Severity
}

func verdicts(v *Verification) (list []verdict) {
	for _, f := range v.Findings {
		list = append(list, verdict{f.Law, f.Severity})
	}
	return list
}

// A variation is a model with a plan, and what there is to say about it.
type variation struct {
	name    string
	model   encode.Model
	offsets []int32
	want    []verdict
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
	overlap := []verdict{{LawOverlap, Failure}}
	first := func(f func(*encode.Tensor)) encode.Model {
		return change(chain(), func(m *encode.Model) { f(&m.Subgraphs[0].Tensors[2]) })
	}
	return []variation{
		{"right", chain(), chainPlan, nil, ""},
		{"all online", chain(), []int32{-1, -1, -1, -1, -1}, nil, ""},
		{"mixed", chain(), []int32{-1, -1, 0, 16, -1}, nil, ""},

		{"below -1", chain(), []int32{16, -1, -2, -1, -1}, []verdict{{LawOffset, Failure}}, `tensor 0:2 "a"`},
		{"misaligned", chain(), []int32{0, -1, 24, -1, -1}, []verdict{{LawAlignment, Failure}}, "bytes 24 to 40"},
		{"end of int32", chain(), []int32{0, -1, 1<<31 - 32, -1, -1}, nil, ""},
		{"beyond int32", chain(), []int32{0, -1, 1<<31 - 16, -1, -1}, []verdict{{LawRange, Failure}}, "2147483632"},
		{
			"string", first(func(t *encode.Tensor) { t.Type = schema.TensorTypeSTRING }),
			[]int32{-1, -1, 0, -1, -1},
			[]verdict{{LawSize, Failure}},
			"static size",
		},
		{
			"unknown shape", first(func(t *encode.Tensor) { t.Shape = []int32{-1, 4} }),
			[]int32{-1, -1, 0, -1, -1},
			[]verdict{{LawSize, Failure}},
			"unknown dimensions",
		},

		{"neighbours", chain(), []int32{0, -1, 0, 16, 0}, overlap, `tensor 0:0 "in" (positions 0 to 1, bytes 0 to 16) and tensor 0:2 "a" (positions 1 to 2, bytes 0 to 16)`},
		{"in part", first(func(t *encode.Tensor) { t.Shape = []int32{1, 5} }), []int32{-1, -1, 0, 16, -1}, overlap, "bytes 0 to 32"},
		{"later", chain(), []int32{0, -1, 16, 0, 0}, overlap, `"b"`},
		{"two", chain(), []int32{0, -1, 0, 0, 16}, []verdict{{LawOverlap, Failure}, {LawOverlap, Failure}}, ""},

		{"constant", chain(), []int32{0, 0, 16, 0, 16}, []verdict{{LawIgnored, Note}}, "ignores (constant): 1"},
		{
			"zero size", first(func(t *encode.Tensor) { t.Shape = []int32{0} }),
			[]int32{0, -1, 0, 16, 0},
			[]verdict{{LawIgnored, Note}},
			"zero size",
		},
		{"handle", change(chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "h", Type: schema.TensorTypeRESOURCE})
			s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorVAR_HANDLE, Outputs: []int{5}})
		}), []int32{0, -1, 16, 0, 16, 0}, []verdict{{LawIgnored, Note}}, "variable handle"},
		{"unused", change(chain(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Tensors = append(s.Tensors, encode.Tensor{Name: "orphan", Shape: []int32{100}}, encode.Tensor{Name: "orphan"})
		}), []int32{0, -1, 16, 0, 16, 0, 0}, []verdict{{LawUnused, Note}}, "the same: 2"},

		{"variable left alone", state(), []int32{0, -1, 16, 0, 16, -1}, nil, ""},
		{"variable kept", state(), []int32{0, -1, 16, 0, 16, 32}, []verdict{{LawVariable, Note}}, "scratch"},
		{
			"variable overlapped while read", state(),
			[]int32{0, -1, 16, 0, 48, 16},
			[]verdict{{LawOverlap, Failure}, {LawVariable, Note}},
			`"state"`,
		},
		{
			"variable overlapped after its last reader", state(),
			[]int32{0, -1, 16, 0, 32, 32},
			[]verdict{{LawVariable, Failure}, {LawVariable, Note}},
			`"out"`,
		},
		{
			"variable taken over by the output of an element-wise operator", change(state(), func(m *encode.Model) {
				s := &m.Subgraphs[0]
				s.Operators = append([]encode.Operator{}, s.Operators...)
				s.Operators[1].Builtin = schema.BuiltinOperatorADD
			}),
			[]int32{0, -1, 16, 32, 0, 32},
			[]verdict{{LawOverlap, Failure}, {LawVariable, Note}},
			`"state"`,
		},
		{"variable beside online tensors", state(), []int32{-1, -1, -1, -1, -1, 32}, []verdict{{LawVariable, Failure}}, `free to place tensor 0:4 "out"`},

		{
			"variable of a later subgraph never placed", branches(),
			[]int32{0, -1, 16, 0, 16, -1, -1},
			[]verdict{{LawVariableEntry, Failure}},
			"variable 1:0",
		},
		{
			"variable of a later subgraph placed twice", branches(),
			[]int32{0, -1, 16, 0, 16, 48, 32},
			[]verdict{{LawVariable, Note}, {LawVariable, Note}, {LawVariableEntry, Note}},
			"",
		},
		{"variable of a later subgraph left alone", branches(), []int32{-1, -1, 0, 16, 0, -1, -1}, nil, ""},

		{
			"scratch over the operands", custom(),
			[]int32{0, 16, 0, 32, 16},
			[]verdict{{LawOverlap, Aliasing}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"scratch over a bystander", change(custom(), func(m *encode.Model) {
			s := &m.Subgraphs[0]
			s.Operators[0].Inputs, s.Operators[1].Inputs = []int{0, 2}, []int{3, 1}
		}), []int32{0, 16, 16, 32, 0}, []verdict{{LawOverlap, Aliasing}}, "0:2 is scratch of custom operators"},
		{
			"operands of one custom operator", custom(),
			[]int32{0, 16, 48, 16, 32},
			[]verdict{{LawOverlap, Aliasing}},
			`belong to the custom operator "ethos-u" alone`,
		},
		{"a variable of a custom operator", change(custom(), func(m *encode.Model) {
			m.Subgraphs[0].Tensors[2].Variable = true
		}), []int32{0, 16, 32, 32, 48}, []verdict{{LawOverlap, Failure}, {LawVariable, Note}}, "while both are alive"},
		{"an operand that lives on", custom(), []int32{0, 16, 48, 0, 32}, overlap, `"in0"`},
		{"two inputs", custom(), []int32{0, 0, 48, 16, 32}, overlap, `"in1"`},
	}
}

// Every law, by a plan that breaks it and one that just does not.
func TestVerify(t *testing.T) {
	for _, c := range variations() {
		t.Run(c.name, func(t *testing.T) {
			m := planned(t, c.model, c.offsets...)
			v := verify(t, m)
			if diff := cmp.Diff(c.want, verdicts(v)); diff != "" {
				t.Fatalf("(-want +got):\n%s%v", diff, v.Findings)
			}
			failed := false
			for i, f := range v.Findings {
				failed = failed || f.Severity == Failure
				if i == 0 && !strings.Contains(f.Message, strings.Trim(c.message, `"`)) {
					t.Errorf("message %q lacks %q", f.Message, c.message)
				}
				if f.Path == "" || f.Offset <= 0 || f.Offset >= int64(len(m.Data)) {
					t.Errorf("finding at %q, %#x", f.Path, f.Offset)
				}
			}
			if v.OK() == failed {
				t.Errorf("OK is %v", v.OK())
			}
		})
	}
}

// A finding about a tensor names the place of its offset in the file.
func TestFindingOffset(t *testing.T) {
	m := planned(t, chain(), 0, -1, 8, -1, -1)
	f := verify(t, m).Findings[0]
	if got := int32(le.Uint32(m.Data[f.Offset:])); got != 8 {
		t.Errorf("%d stands at %#x, want 8", got, f.Offset)
	}
	want := Use{ID: "0:2", Name: "a", First: 1, Last: 2, Start: 8, End: 24}
	if diff := cmp.Diff([]Use{want}, f.Tensors); diff != "" {
		t.Error(diff)
	}
}

// The laws about buffers and entries.
func TestVerifyEntries(t *testing.T) {
	good := encodePlan(1, chainPlan)
	negative := bytes.Clone(good)
	le.PutUint32(negative[8:], 1<<31)
	longer := bytes.Clone(good)
	le.PutUint32(longer[8:], 6)
	for _, c := range []struct {
		name  string
		plans [][]byte
		want  []verdict
	}{
		{"none", nil, nil},
		{"no data", [][]byte{nil}, []verdict{{LawBuffer, Failure}}},
		{"empty", [][]byte{{}}, []verdict{{LawBuffer, Failure}}},
		{"eleven bytes", [][]byte{good[:11]}, []verdict{{LawLength, Failure}}},
		{"header alone", [][]byte{good[:12]}, []verdict{{LawLength, Failure}}},
		{"an offset too short", [][]byte{good[:28]}, []verdict{{LawLength, Failure}}},
		{"one more than there are", [][]byte{longer}, []verdict{{LawLength, Failure}}},
		{"negative count", [][]byte{negative}, []verdict{{LawCount, Failure}}},
		{"four offsets", [][]byte{encodePlan(1, chainPlan[:4])}, []verdict{{LawCount, Failure}}},
		{"six offsets", [][]byte{encodePlan(1, append(chainPlan[:5:5], 0))}, []verdict{{LawCount, Failure}}},
		{"spare bytes", [][]byte{append(bytes.Clone(good), 1, 2, 3)}, nil},
		{"twice", [][]byte{good, good}, []verdict{{LawEntries, Note}}},
		{"differing", [][]byte{encodePlan(1, online(build(t, chain()))), good}, []verdict{{LawEntries, Failure}}},
		{"first broken", [][]byte{good[:12], good}, []verdict{{LawLength, Failure}}},
		{"last broken", [][]byte{good, good[:12]}, []verdict{{LawLength, Failure}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := chain()
			for _, p := range c.plans {
				source = withPlan(source, p)
			}
			v := verify(t, build(t, source))
			if diff := cmp.Diff(c.want, verdicts(v)); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, v.Findings)
			}
			if c.want == nil && !v.OK() {
				t.Error("not OK")
			}
		})
	}
}

// A plan behind the flatbuffer is none: the runtime reads the data field alone.
func TestVerifyOutside(t *testing.T) {
	plan := encodePlan(1, chainPlan)
	data := behind(func(at uint64) encode.Model {
		m := withPlan(chain(), nil)
		m.Buffers[len(m.Buffers)-1] = encode.Buffer{Offset: at, Size: uint64(len(plan))}
		return m
	}, plan)
	if diff := cmp.Diff([]verdict{{LawBuffer, Failure}}, verdicts(verify(t, parse(t, data)))); diff != "" {
		t.Error(diff)
	}
}

func TestVerifyHead(t *testing.T) {
	v := verify(t, planned(t, chain(), 64, -1, 16, 0, -1))
	if v.Head != 80 || len(v.Pinned) != 3 || v.Planned != 4 {
		t.Errorf("head %d, %d of %d pinned", v.Head, len(v.Pinned), v.Planned)
	}
}

// Plans that TensorFlow Lite Micro's own tests embed and follow: each is right but
// for those in which inputs that nothing makes share an offset on purpose.
func TestRuntimeVectors(t *testing.T) {
	tensor := encode.Tensor{Shape: []int32{2, 2, 3}}
	add := func(in []int, out ...int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: in, Outputs: out}
	}
	for _, c := range []struct {
		name      string
		inputs    []int
		operators []encode.Operator
		offsets   []int32
		want      Severity
	}{
		{"branch", []int{0}, []encode.Operator{add([]int{0}, 1), add([]int{0}, 2), add([]int{1, 2}, 3)}, []int32{-1, -1, -1, -1}, ""},
		{"row", []int{0}, []encode.Operator{add([]int{0}, 1), add([]int{1}, 2), add([]int{2}, 3)}, []int32{0, 48, 0, 48}, ""},
		{"overlapping inputs", []int{0, 1}, []encode.Operator{add([]int{0, 1}, 2), add([]int{2}, 3)}, []int32{0, 0, 48, -1}, Failure},
		{"two outputs", []int{0, 1}, []encode.Operator{add([]int{0, 1}, 2), add([]int{2}, 3, 4)}, []int32{0, 48, -1, 0, -1}, ""},
	} {
		s := encode.Subgraph{Inputs: c.inputs, Operators: c.operators}
		for range c.offsets {
			s.Tensors = append(s.Tensors, tensor)
		}
		s.Outputs = []int{len(c.offsets) - 1}
		v := verify(t, planned(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, c.offsets...))
		if (c.want == Failure) == v.OK() {
			t.Errorf("%s: %v", c.name, v.Findings)
		}
	}
}
