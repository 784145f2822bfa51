package segment_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// branch is a network in which the input is read by the first and the last of three operators.
func branch() encode.Model {
	tensor := func() encode.Tensor {
		return encode.Tensor{Type: schema.TensorTypeFLOAT32, Shape: []int32{1, 8}, HasRank: true}
	}
	weight := tensor()
	weight.Buffer = 1
	return encode.Model{
		Buffers: []encode.Buffer{{Data: make([]byte, 32)}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{tensor(), weight, tensor(), tensor(), tensor()},
			Inputs:  []int{0}, Outputs: []int{4, 2},
			Operators: []encode.Operator{
				{Builtin: schema.BuiltinOperatorMUL, Inputs: []int{0, 1}, Outputs: []int{2}},
				{Builtin: schema.BuiltinOperatorADD, Inputs: []int{2, 1}, Outputs: []int{3}},
				{Builtin: schema.BuiltinOperatorSUB, Inputs: []int{3, 0}, Outputs: []int{4}},
			},
		}},
	}
}

// TestPoints lists what is alive between operators: an output of the model that nobody reads any more
// does not count.
func TestPoints(t *testing.T) {
	points, err := segment.Points(modelfile.Build(t, branch()))
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 2 || !slices.Equal(points[0].Alive, []int{0, 2}) || !slices.Equal(points[1].Alive, []int{0, 3}) || points[1].Bytes != 64 {
		t.Errorf("%+v", points)
	}
}

// TestParts says what each part reads and makes, and gives each the constants that it reads.
func TestParts(t *testing.T) {
	m := modelfile.Build(t, branch())
	parts, err := segment.Parts(m, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []segment.Part{
		{First: 0, Last: 0, Inputs: []int{0}, Outputs: []int{2}},
		{First: 1, Last: 1, Inputs: []int{2}, Outputs: []int{3}},
		{First: 2, Last: 2, Inputs: []int{0, 3}, Outputs: []int{4}},
	}
	for i, p := range parts {
		if p.First != want[i].First || p.Last != want[i].Last || !slices.Equal(p.Inputs, want[i].Inputs) || !slices.Equal(p.Outputs, want[i].Outputs) {
			t.Errorf("part %d is %+v, want %+v", i, p, want[i])
		}
		data, err := segment.Write(m, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tflite.Parse(data, "part")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Buffers) - 1; n != []int{1, 1, 0}[i] || len(got.Warnings) > 0 {
			t.Errorf("part %d has %d buffers, warnings %v", i, n, got.Warnings)
		}
	}
	for _, after := range [][]int{{2}, {1, 1}, {-1}, {7}} {
		if _, err := segment.Parts(m, after); !errors.Is(err, segment.ErrModel) {
			t.Errorf("cut behind %v: %v", after, err)
		}
	}
}

// TestRefused says which models cannot be cut.
func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*encode.Subgraph){
		"no operators":           func(s *encode.Subgraph) { s.Operators = nil },
		"makes its output":       func(s *encode.Subgraph) { s.Outputs = []int{0} },
		"keeps a state":          func(s *encode.Subgraph) { s.Tensors[1].Variable, s.Tensors[1].Buffer = true, 0 },
		"before it is made":      func(s *encode.Subgraph) { s.Operators[0].Inputs[1] = 3 },
		"which is there already": func(s *encode.Subgraph) { s.Operators[2].Outputs[0] = 3 },
		"more than its tensors":  func(s *encode.Subgraph) { s.Operators[0].Builtin = schema.BuiltinOperatorRANDOM_UNIFORM },
	} {
		m := branch()
		change(&m.Subgraphs[0])
		parsed, err := tflite.Parse(encode.Encode(m), "test")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := segment.Points(parsed); !errors.Is(err, segment.ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefusedOptions: options that cannot be read cannot be compared with those in a part.
func TestRefusedOptions(t *testing.T) {
	m, err := tflite.Parse(encode.Encode(branch()), "test")
	if err != nil {
		t.Fatal(err)
	}
	m.Subgraphs[0].Operators[0].Damaged = true
	if _, err := segment.Points(m); !errors.Is(err, segment.ErrModel) {
		t.Error(err)
	}
}

// TestCorpus cuts every real model at random: Write compares each part with the model.
func TestCorpus(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	cut := 0
	for _, f := range corpus.Accepted(t) {
		m := sample.OpenFile(t, f.Path)
		points, err := segment.Points(m)
		if errors.Is(err, segment.ErrModel) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		parts, err := segment.Parts(m, cutAt(random, points, 5))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for _, p := range parts {
			if _, err := segment.Write(m, p); err != nil && !errors.Is(err, tflite.ErrCopy) {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		cut++
	}
	if cut == 0 {
		t.Error("no model can be cut")
	}
}
