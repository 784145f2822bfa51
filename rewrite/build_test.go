package rewrite

import (
	"bytes"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// chain returns a model of three operators in a row over five tensors: in, weight
// (constant), two intermediates and out; each tensor has 16 B, the weight is 4.
func chain() encode.Model {
	f := func(name string) encode.Tensor { return encode.Tensor{Name: name, Shape: []int32{1, 4}} }
	op := func(in []int, out int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorFULLY_CONNECTED, Inputs: in, Outputs: []int{out}}
	}
	weight := encode.Tensor{Name: "weight", Shape: []int32{1, 4}, Buffer: 1}
	return encode.Model{
		Subgraphs: []encode.Subgraph{{
			Name: "main", Inputs: []int{0}, Outputs: []int{4},
			Tensors:   []encode.Tensor{f("in"), weight, f("a"), f("b"), f("out")},
			Operators: []encode.Operator{op([]int{0, 1}, 2), op([]int{2}, 3), op([]int{3}, 4)},
		}},
		Buffers:  []encode.Buffer{{Data: bytes.Repeat([]byte{7}, 16)}, {Data: []byte("1.5.0")}},
		Metadata: []encode.Metadata{{Name: "min_runtime_version", Buffer: 2}},
	}
}

// withPlan adds a plan to a model before it is encoded.
func withPlan(m encode.Model, data []byte) encode.Model {
	m.Buffers = append(m.Buffers[:len(m.Buffers):len(m.Buffers)], encode.Buffer{Data: data})
	m.Metadata = append(m.Metadata[:len(m.Metadata):len(m.Metadata)], encode.Metadata{Name: PlanName, Buffer: len(m.Buffers)})
	return m
}

func parse(t fataler, data []byte) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func build(t fataler, m encode.Model) *tflite.Model {
	t.Helper()
	return parse(t, encode.Encode(m))
}

func embed(t fataler, m *tflite.Model, offsets []int32) (*Result, *tflite.Model) {
	t.Helper()
	r, err := Embed(m, offsets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, parse(t, r.Data)
}

func remove(t fataler, m *tflite.Model) *Result {
	t.Helper()
	r, err := Remove(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// naive returns a plan that lays all planned tensors end to end, as far as an int32
// goes, and leaves the rest to the runtime.
func naive(t fataler, m *tflite.Model) []int32 {
	t.Helper()
	micro := rules.Micro()
	view, err := micro.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	var offsets []int32
	end, records := int64(0), view.Records()
	for _, s := range view.Graph.Subgraphs {
		for _, tensor := range s.Tensors {
			offset := int32(Online)
			if tensor.Planned {
				if next := end + records[0].Size; next <= 1<<31-1 {
					offset, end = int32(end), next
				}
				records = records[1:]
			}
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// online returns a plan that leaves every tensor to the runtime.
func online(m *tflite.Model) []int32 {
	offsets := make([]int32, countTensors(m))
	for i := range offsets {
		offsets[i] = Online
	}
	return offsets
}

func onlyPlan(t fataler, m *tflite.Model) Plan {
	t.Helper()
	plans, err := ReadPlans(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) != 1 {
		t.Fatalf("%d plans, want 1", len(plans))
	}
	return plans[0]
}

var _ fataler = (*testing.T)(nil)
