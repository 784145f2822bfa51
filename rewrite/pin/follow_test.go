package pin_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// bytesOf returns a tensor of so many bytes.
func bytesOf(n int32) encode.Tensor {
	return encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{1, n}}
}

func op(inputs []int, outputs ...int) encode.Operator {
	return encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: inputs, Outputs: outputs}
}

// line is a model of one operator after the other over tensors of the given sizes.
func line(sizes ...int32) encode.Model {
	s := encode.Subgraph{Inputs: []int{0}, Outputs: []int{len(sizes) - 1}}
	for i, n := range sizes {
		s.Tensors = append(s.Tensors, bytesOf(n))
		if i > 0 {
			s.Operators = append(s.Operators, op([]int{i - 1}, i))
		}
	}
	return encode.Model{Subgraphs: []encode.Subgraph{s}}
}

func graph(inputs []int, tensors int, operators ...encode.Operator) encode.Model {
	s := encode.Subgraph{Inputs: inputs, Operators: operators}
	for range tensors {
		s.Tensors = append(s.Tensors, bytesOf(48))
	}
	return encode.Model{Subgraphs: []encode.Subgraph{s}}
}

// Offsets and heads that TensorFlow Lite Micro gave for plans, from its own tests and
// from runs.
func TestFollowAsTheRuntime(t *testing.T) {
	four := []rules.Request{{Operator: 0, Bytes: 90}, {Operator: 1, Bytes: 64}, {Operator: 2, Bytes: 1000}}
	for _, tt := range []struct {
		name    string
		model   encode.Model
		plan    []int32
		scratch []rules.Request
		want    []int64
		head    int64
	}{
		{"all online", graph([]int{0}, 4, op([]int{0}, 1), op([]int{0}, 2), op([]int{1, 2}, 3)), []int32{-1, -1, -1, -1}, nil, []int64{0, 96, 48, 0}, 144},
		{"all fixed", graph([]int{0}, 4, op([]int{0}, 1), op([]int{1}, 2), op([]int{2}, 3)), []int32{0, 48, 0, 48}, nil, []int64{0, 48, 0, 48}, 96},
		{"inputs that share", graph([]int{0}, 4, op([]int{0, 1}, 2), op([]int{2}, 3)), []int32{0, 0, 48, -1}, nil, []int64{0, 0, 48, 0}, 96},
		{"some fixed", graph([]int{0}, 5, op([]int{0, 1}, 2), op([]int{2}, 3, 4)), []int32{0, 48, -1, 0, -1}, nil, []int64{0, 48, 96, 0, 48}, 144},
		{"three that share", graph([]int{0}, 5, op([]int{0, 1, 2}, 3), op([]int{3}, 4)), []int32{0, 0, 0, 48, -1}, nil, []int64{0, 0, 0, 48, 0}, 96},
		{"never made and shared", graph([]int{0}, 6, op([]int{0}, 1), op([]int{1, 2, 3}, 4), op([]int{4}, 5)), []int32{0, 0, 0, 0, 48, -1}, nil, []int64{0, 0, 0, 0, 48, 0}, 96},
		{"no plan", line(112, 208, 304, 48), nil, nil, []int64{0, 304, 0, 304}, 512},
		{"scratch", line(112, 208, 304, 48), nil, four, []int64{208, 0, 1008, 1312, 320, 208, 0}, 1360},
		{"scratch around a plan", line(112, 208, 304, 48), []int32{0, 112, 320, 0}, four, []int64{0, 112, 320, 0, 320, 0, 624}, 1632},
		{"far apart", line(112, 208, 304, 48), []int32{512, 0, 304, 1024}, nil, []int64{512, 0, 304, 1024}, 1072},
		{"not aligned", line(112, 208, 304, 48), []int32{3, 117, 333, 7}, nil, []int64{3, 117, 333, 7}, 637},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := pin.Follow(t.Context(), rules.Micro(), modelfile.Build(t, tt.model), tt.plan, tt.scratch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, o.Offsets); diff != "" || o.Head != tt.head {
				t.Errorf("head %d, want %d; offsets (-want +got):\n%s", o.Head, tt.head, diff)
			}
		})
	}
}

// A variable with an offset is in the head, one without in the tail. The runtime asks
// for the offset of a variable of a later subgraph at the wrong entry.
func TestFollowVariables(t *testing.T) {
	state := bytesOf(64)
	state.Variable = true
	first := encode.Subgraph{
		Tensors: []encode.Tensor{bytesOf(16), state, bytesOf(16)}, Inputs: []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{op([]int{0, 1}, 2)},
	}
	m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{first, first}})
	for _, tt := range []struct {
		plan       []int32
		head, tail int64
	}{
		{nil, 32, 128},
		{[]int32{-1, -1, -1, -1, -1, -1}, 32, 128},
		{[]int32{-1, 32, -1, -1, -1, -1}, 96, 0},
		{[]int32{-1, -1, -1, -1, 32, -1}, 96, 128},
	} {
		o, err := pin.Follow(t.Context(), rules.Micro(), m, tt.plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		var tail int64
		for _, part := range o.Arena(rules.DefaultDevice()).Parts {
			if part.Name == "variables" {
				tail = part.Bytes
			}
		}
		if o.Head != tt.head || tail != tt.tail {
			t.Errorf("%v: head %d and variables %d, want %d and %d", tt.plan, o.Head, tail, tt.head, tt.tail)
		}
	}
	if !m.Subgraphs[0].Tensors[1].Variable {
		t.Error("the model was changed")
	}
}

func TestFollowRefuses(t *testing.T) {
	m := modelfile.Build(t, line(16, 16))
	for _, plan := range [][]int32{{}, {0}, {0, 16, 32}, {0, -2}} {
		if o, err := pin.Follow(t.Context(), rules.Micro(), m, plan, nil); err == nil {
			t.Errorf("%v: head %d", plan, o.Head)
		}
	}
}

func drawLine(t *rapid.T) *tflite.Model {
	sizes := rapid.SliceOfN(rapid.Int32Range(1, 400), 2, 12).Draw(t, "sizes")
	return modelfile.Build(t, line(sizes...))
}

// TestFollowProperties: for any plan, valid or not, fixed tensors are at their offsets, others
// overlap nothing live at the same time, and the head is the largest end. A plan without fixed
// tensors equals no plan.
func TestFollowProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawLine(t)
		plan := make([]int32, len(m.Subgraphs[0].Tensors))
		for i := range plan {
			plan[i] = -1 + rapid.Int32Range(0, 30).Draw(t, "offset")*rapid.Int32Range(0, 16).Draw(t, "step")
		}
		scratch := []rules.Request{{Operator: 0, Bytes: rapid.Int64Range(0, 200).Draw(t, "scratch")}}
		o, err := pin.Follow(t.Context(), rules.Micro(), m, plan, scratch)
		if err != nil {
			t.Fatal(err)
		}
		var head int64
		for i, r := range o.Records {
			head = max(head, o.Offsets[i]+r.Size)
			if i < len(plan) && plan[i] >= 0 && o.Offsets[i] != int64(plan[i]) {
				t.Fatalf("tensor %d at %d, fixed at %d", i, o.Offsets[i], plan[i])
			}
			for j, s := range o.Records[:i] {
				meet := o.Offsets[i] < o.Offsets[j]+s.Size && o.Offsets[j] < o.Offsets[i]+r.Size
				if both := r.Pinned && s.Pinned; meet && r.Overlaps(s) && (!both || !o.Shared) {
					t.Fatalf("%v at %d meets %v at %d", r, o.Offsets[i], s, o.Offsets[j])
				}
			}
		}
		if head != o.Head {
			t.Fatalf("head %d, largest end %d", o.Head, head)
		}
	})
}

// The planner that takes fixed tensors which share memory agrees with package alloc's
// on all others. A tensor fixed far above everything, twice, forces the former.
func TestFollowAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int32Range(1, 400), 2, 12).Draw(t, "sizes")
		plain, shared := line(sizes...), line(sizes...)
		s := &shared.Subgraphs[0]
		s.Tensors = append(s.Tensors, bytesOf(16), bytesOf(16))
		s.Operators[0].Outputs = append(s.Operators[0].Outputs, len(sizes), len(sizes)+1)
		online := make([]int32, len(sizes))
		for i := range online {
			online[i] = -1
		}
		want, err := pin.Follow(t.Context(), rules.Micro(), modelfile.Build(t, plain), online, nil)
		if err != nil {
			t.Fatal(err)
		}
		const far = 1 << 20
		got, err := pin.Follow(t.Context(), rules.Micro(), modelfile.Build(t, shared), append(online, far, far), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Shared || want.Shared {
			t.Fatalf("shared: %v and %v", got.Shared, want.Shared)
		}
		if diff := cmp.Diff(want.Offsets, got.Offsets[:len(sizes)]); diff != "" || got.Head != far+16 {
			t.Fatalf("head %d\n%s", got.Head, diff)
		}
	})
}

// TestChooseAndFollowAgree: Follow confirms the head promised by Choose.
func TestChooseAndFollowAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawLine(t)
		v := sample.Micro(t, m)
		mode := rapid.SampledFrom([]pin.Mode{pin.Peak, pin.All}).Draw(t, "mode")
		scratch := []rules.Request{{Operator: 0, Bytes: rapid.Int64Range(0, 900).Draw(t, "scratch")}}
		choice, err := pin.Choose(t.Context(), v, pin.Options{Mode: mode, Scratch: scratch})
		if err != nil {
			t.Fatal(err)
		}
		o, err := pin.Follow(t.Context(), rules.Micro(), m, choice.Offsets, scratch)
		if err != nil {
			t.Fatal(err)
		}
		if o.Head != choice.Head || choice.Head > choice.Own || choice.Head < choice.Bound || choice.Offsets != nil && o.Pinned != choice.Pinned {
			t.Fatalf("%+v, followed: head %d, %d fixed", choice, o.Head, o.Pinned)
		}
	})
}

// Fixed is what a file can say of a plan.
func TestFixed(t *testing.T) {
	m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{bytesOf(16), bytesOf(16), bytesOf(16)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{op([]int{0}, 1)}, // tensor 2 is never used
	}}})
	v := sample.Micro(t, m)
	plan, err := alloc.Solve(t.Context(), v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: "naive"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{0, 16, -1}, pin.Fixed(v, plan.Offsets)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{0, -1, -1}, pin.Fixed(v, []int64{0, 1 << 31, 0})); diff != "" {
		t.Error(fmt.Sprint("an offset beyond an int32: ", diff))
	}
}
