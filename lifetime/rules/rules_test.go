package rules_test

import (
	"encoding/binary"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// view returns an encoded model as a rule set sees it.
func view(t *testing.T, m encode.Model, runtime string, change ...func(*rules.Rules)) *rules.View {
	t.Helper()
	model, err := tflite.Parse(encode.Encode(m), "test.tflite")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules.Lookup(runtime)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(&r)
	}
	v, err := r.View(model, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// row is a usage record without fields that do not matter to a test.
type row struct {
	ID          string
	First, Last int
	Size        int64
}

func rowsOf(v *rules.View) []row {
	var rows []row
	for _, r := range v.Records() {
		rows = append(rows, row{r.ID, r.First, r.Last, r.Size})
	}
	return rows
}

func reasonsOf(v *rules.View) map[string]rules.Reason {
	reasons := map[string]rules.Reason{}
	for _, l := range v.LeftOut {
		reasons[l.ID] = l.Reason
	}
	return reasons
}

func want[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differ (-want +got):\n%s", what, diff)
	}
}

func floats(name string, shape ...int32) encode.Tensor {
	return encode.Tensor{Name: name, Shape: shape}
}

func ints(values ...int32) encode.Buffer {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return encode.Buffer{Data: data}
}

func operator(code schema.BuiltinOperator, in, out []int) encode.Operator {
	return encode.Operator{Builtin: code, Inputs: in, Outputs: out}
}

func TestMicroFollowsControlFlow(t *testing.T) {
	branch := encode.Subgraph{
		Tensors: []encode.Tensor{floats("a", 4), floats("b", 4), floats("c", 4)},
		Inputs:  []int{0, 1}, Outputs: []int{2},
		Operators: []encode.Operator{operator(schema.BuiltinOperatorADD, []int{0, 1}, []int{2})},
	}
	branchOn := encode.Operator{
		Builtin: schema.BuiltinOperatorIF, Inputs: []int{0, 1, 2}, Outputs: []int{3},
		OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, 1)
			schema.IfOptionsAddElseSubgraphIndex(b, 2)
			return schema.IfOptionsEnd(b)
		},
	}
	model := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{floats("cond", 1), floats("x", 4), floats("y", 4), floats("z", 4)},
		Inputs:  []int{0, 1, 2}, Outputs: []int{3},
		Operators: []encode.Operator{branchOn},
	}, branch, branch}}
	want(t, "records", []row{
		{"0:0", 0, 5, 16},
		{"0:1", 0, 5, 16},
		{"0:2", 0, 5, 16},
		{"0:3", 1, 5, 16},
		{"1:0", 2, 3, 16},
		{"1:1", 2, 3, 16},
		{"1:2", 3, 3, 16},
		{"2:0", 4, 5, 16},
		{"2:1", 4, 5, 16},
		{"2:2", 5, 5, 16},
	}, rowsOf(view(t, model, "tflm")))

	// If only the deprecated field has the code, older runtimes do not look inside.
	branchOn.Old = true
	model.Subgraphs[0].Operators = []encode.Operator{branchOn}
	if rows := rowsOf(view(t, model, "tflm")); rows[0].Last != 5 {
		t.Errorf("the old operator code is not followed: %+v", rows)
	}
	v := view(t, model, "tflm", func(r *rules.Rules) { r.NewCodesOnly = true })
	want(t, "records", []row{
		{"0:0", 0, 1, 16},
		{"0:1", 0, 1, 16},
		{"0:2", 0, 1, 16},
		{"0:3", 1, 1, 16},
		{"1:0", -1, -1, 16},
		{"1:1", -1, -1, 16},
		{"1:2", -1, -1, 16},
		{"2:0", -1, -1, 16},
		{"2:1", -1, -1, 16},
		{"2:2", -1, -1, 16},
	}, rowsOf(v))
	if notes := strings.Join(rules.NoteTexts(v.Notes), "\n"); !strings.Contains(notes, "deprecated field") || !strings.Contains(notes, "6 tensors are never used") {
		t.Errorf("notes do not tell of the hidden control flow:\n%s", notes)
	}
}

func TestReasons(t *testing.T) {
	model := encode.Model{
		Buffers: []encode.Buffer{ints(1, 2, 3, 4)},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				0:  floats("in", 5),
				1:  {Name: "weights", Shape: []int32{4}, Buffer: 1},
				2:  {Name: "state", Shape: []int32{4}, Variable: true},
				3:  {Name: "handle", Type: schema.TensorTypeRESOURCE},
				4:  {Name: "text", Type: schema.TensorTypeSTRING, Shape: []int32{1}},
				5:  floats("empty", 0),
				6:  floats("unknown", -1, 4),
				7:  floats("huge", 1<<30, 1<<30),
				8:  {Name: "half bytes", Type: schema.TensorTypeINT4, Shape: []int32{5}},
				9:  floats("never made", 4),
				10: floats("out", 5),
				11: floats("never used", 100),
			},
			Inputs: []int{0}, Outputs: []int{10},
			Operators: []encode.Operator{
				operator(schema.BuiltinOperatorVAR_HANDLE, nil, []int{3}),
				operator(schema.BuiltinOperatorADD, []int{0, 1, 2, 3, 9}, []int{4, 5, 6, 7, 8}),
				operator(schema.BuiltinOperatorADD, []int{8}, []int{10}),
			},
		}},
	}
	tests := []struct {
		runtime string
		rows    []row
		reasons map[string]rules.Reason
	}{
		{
			"tflm",
			[]row{{"0:0", 0, 2, 32}, {"0:8", 2, 3, 16}, {"0:9", -1, 2, 16}, {"0:10", 3, 3, 32}, {"0:11", -1, -1, 400}},
			map[string]rules.Reason{
				"0:1": rules.Constant, "0:2": rules.Variable, "0:3": rules.VariableHandle, "0:4": rules.NoStaticSize,
				"0:5": rules.ZeroSize, "0:6": rules.UnknownDimensions, "0:7": rules.TooLarge,
			},
		},
		{
			"litert",
			[]row{{"0:0", 0, 2, 20}, {"0:8", 1, 2, 3}, {"0:10", 2, 2, 20}},
			map[string]rules.Reason{
				"0:1": rules.Constant, "0:2": rules.Variable, "0:3": rules.VariableHandle, "0:4": rules.NoStaticSize,
				"0:5": rules.ZeroSize, "0:6": rules.UnknownDimensions, "0:7": rules.TooLarge,
				"0:9": rules.NeverMade, "0:11": rules.Untouched,
			},
		},
		{
			"paper",
			[]row{{"0:8", 1, 2, 32}},
			map[string]rules.Reason{
				"0:0": rules.GraphInput, "0:10": rules.GraphOutput,
				"0:1": rules.Constant, "0:2": rules.Variable, "0:3": rules.VariableHandle, "0:4": rules.Unread,
				"0:5": rules.Unread, "0:6": rules.Unread, "0:7": rules.Unread,
				"0:9": rules.NeverMade, "0:11": rules.Untouched,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.runtime, func(t *testing.T) {
			v := view(t, model, tt.runtime)
			want(t, "records", tt.rows, rowsOf(v))
			want(t, "reasons", tt.reasons, reasonsOf(v))
			tensors := 0
			for _, c := range v.CountLeftOut() {
				tensors += c.Tensors
			}
			if tensors != len(v.LeftOut) {
				t.Errorf("the counts by reason sum to %d, %d tensors are left out", tensors, len(v.LeftOut))
			}
		})
	}
}

func TestPaperSimplifications(t *testing.T) {
	const (
		pad    = schema.BuiltinOperatorPAD
		conv   = schema.BuiltinOperatorCONV_2D
		resize = schema.BuiltinOperatorRESIZE_BILINEAR
	)
	paddings := func(name string, buffer int) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT32, Shape: []int32{4, 2}, Buffer: buffer}
	}
	model := encode.Model{
		Buffers: []encode.Buffer{
			ints(0, 0, 1, 1, 1, 1, 0, 0), // only space
			ints(0, 0, 1, 1, 1, 1, 0, 2), // channels too
			ints(7),
		},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				0: floats("in", 1, 4, 4, 3), 1: paddings("spatial", 1), 2: paddings("channel", 2),
				3:  floats("a", 1, 4, 4, 3),
				4:  floats("a, padded", 1, 6, 6, 3),
				5:  floats("b", 1, 4, 4, 8),
				6:  floats("b, resized to itself", 1, 4, 4, 8),
				7:  floats("b, padded in channels", 1, 6, 6, 10),
				8:  floats("c", 1, 4, 4, 2),
				9:  floats("out", 1, 4, 4, 2),
				10: {Name: "half weight", Type: schema.TensorTypeINT32, Shape: []int32{1}, Buffer: 3},
				11: floats("weight", 1),
			},
			Inputs: []int{0}, Outputs: []int{9},
			Operators: []encode.Operator{
				operator(conv, []int{0}, []int{3}),
				operator(pad, []int{3, 1}, []int{4}),
				operator(schema.BuiltinOperatorDEQUANTIZE, []int{10}, []int{11}),
				operator(conv, []int{4, 11}, []int{5}),
				operator(resize, []int{5, 1}, []int{6}),
				operator(pad, []int{6, 2}, []int{7}),
				operator(conv, []int{7}, []int{8}),
				operator(conv, []int{8}, []int{9}),
			},
		}},
	}
	v := view(t, model, "paper")
	want(t, "records", []row{
		{"0:3", 0, 1, 4 * 4 * 4 * 4}, // channels padded from 3 to 4
		{"0:5", 1, 2, 4 * 4 * 8 * 4},
		{"0:7", 2, 3, 6 * 6 * 12 * 4},
		{"0:8", 3, 4, 4 * 4 * 4 * 4},
	}, rowsOf(v))
	var operators []int
	for _, s := range v.Usage.Steps {
		operators = append(operators, s.Operator)
	}
	want(t, "operators left", []int{0, 3, 5, 6, 7}, operators)
	reasons := reasonsOf(v)
	if reasons["0:4"] != rules.Dropped || reasons["0:6"] != rules.Dropped || reasons["0:11"] != rules.Constant {
		t.Errorf("wrong reasons: %v", reasons)
	}
}

func TestInPlace(t *testing.T) {
	const (
		add     = schema.BuiltinOperatorADD
		conv    = schema.BuiltinOperatorCONV_2D
		reshape = schema.BuiltinOperatorRESHAPE
	)
	model := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{
			0: floats("in", 8), 1: floats("a", 8), 2: floats("a reshaped", 2, 4), 3: floats("sum", 8),
			4: floats("b", 8), 5: floats("sum 2", 8), 6: floats("out", 8),
		},
		Inputs: []int{0}, Outputs: []int{6},
		Operators: []encode.Operator{
			operator(conv, []int{0}, []int{1}),
			operator(reshape, []int{1}, []int{2}),   // shares memory with 1
			operator(add, []int{2, 0}, []int{3}),    // shares memory with 2, and so with 1: nothing else reads them
			operator(conv, []int{3}, []int{4}),      // no in-place kernel
			operator(add, []int{0, 4}, []int{5}),    // shares with 4, not with the graph input
			operator(add, []int{5, 3}, []int{6}),    // a graph output never shares
			operator(conv, []int{3, 5}, []int(nil)), // keeps 3 and 5 to the end
		},
	}}}
	v := view(t, model, "litert", func(r *rules.Rules) { r.InPlace = true })
	want(t, "records", []row{{"0:0", 0, 6, 32}, {"0:1", 0, 6, 32}, {"0:4", 3, 6, 32}, {"0:6", 5, 6, 32}}, rowsOf(v))
	want(t, "reasons", map[string]rules.Reason{"0:2": rules.Aliased, "0:3": rules.Aliased, "0:5": rules.Aliased}, reasonsOf(v))
	if n := len(view(t, model, "litert").Records()); n != 7 {
		t.Errorf("without in-place sharing there are %d records, want 7", n)
	}
}

func TestInPlaceKeepsWhatIsStillRead(t *testing.T) {
	const reshape, add = schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorADD
	model := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{0: floats("in", 8), 1: floats("a", 8), 2: floats("view", 2, 4), 3: floats("sum", 8), 4: floats("out", 8)},
		Inputs:  []int{0}, Outputs: []int{4},
		Operators: []encode.Operator{
			operator(schema.BuiltinOperatorCONV_2D, []int{0}, []int{1}),
			operator(reshape, []int{1}, []int{2}), // shares memory with 1
			operator(add, []int{2, 0}, []int{3}),  // must not: 1 is read again below
			operator(add, []int{3, 1}, []int{4}),
		},
	}}}
	v := view(t, model, "litert", func(r *rules.Rules) { r.InPlace = true })
	want(t, "reasons", map[string]rules.Reason{"0:2": rules.Aliased}, reasonsOf(v))
}

func TestLookup(t *testing.T) {
	for _, name := range rules.Names() {
		r, err := rules.Lookup(name)
		if err != nil || r.Name != name || len(r.Includes()) < 2 || r.Title == "" || r.Source == "" {
			t.Errorf("%s: got %+v, %v with %d lines of description", name, r, err, len(r.Includes()))
		}
	}
	if _, err := rules.Lookup("tflite"); err == nil || !strings.Contains(err.Error(), "known: tflm, litert, paper") {
		t.Errorf("unknown name: got %v", err)
	}
}

func TestSubgraphChoice(t *testing.T) {
	model, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: make([]encode.Subgraph, 2)}), "two.tflite")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		runtime  string
		subgraph int
		planned  int
		want     string
	}{
		{"tflm", -1, -1, ""},
		{"tflm", 0, 0, "cannot be chosen"},
		{"litert", -1, 0, ""},
		{"litert", 1, 1, ""},
		{"paper", 2, 0, "there is no subgraph 2"},
	} {
		r, err := rules.Lookup(tt.runtime)
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.View(model, tt.subgraph)
		switch {
		case tt.want == "" && (err != nil || v.Subgraph != tt.planned):
			t.Errorf("%s %d: got %v, %v", tt.runtime, tt.subgraph, v, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s %d: got error %v, want one with %q", tt.runtime, tt.subgraph, err, tt.want)
		}
	}
}
