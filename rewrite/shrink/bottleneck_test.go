package shrink

import (
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestBottleneckInBranch: where most is in use in a branch of an IF, the operator is one of that
// subgraph.
func TestBottleneckInBranch(t *testing.T) {
	row := func(elements int32) encode.Tensor { return encode.Tensor{Name: "x", Shape: []int32{1, elements}} }
	relu := func(in, out int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{in}, Outputs: []int{out}}
	}
	choice := encode.Operator{
		Builtin: schema.BuiltinOperatorIF, Inputs: []int{0, 1}, Outputs: []int{2}, OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, 1)
			schema.IfOptionsAddElseSubgraphIndex(b, 2)
			return schema.IfOptionsEnd(b)
		},
	}
	m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{
		{Tensors: []encode.Tensor{{Name: "condition", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, row(16), row(16)}, Inputs: []int{0, 1}, Outputs: []int{2}, Operators: []encode.Operator{choice}},
		{Tensors: []encode.Tensor{row(16), row(4096), row(16)}, Inputs: []int{0}, Outputs: []int{2}, Operators: []encode.Operator{relu(0, 1), relu(1, 2)}},
		{Tensors: []encode.Tensor{row(16), row(16)}, Inputs: []int{0}, Outputs: []int{1}, Operators: []encode.Operator{relu(0, 1)}},
	}})
	b, _, err := peak(m, &Candidate{}, rules.DefaultDevice().WithoutScratch())
	if err != nil || b == nil || b.Subgraph != 1 || b.Operator != 0 || b.Name != "RELU" || !strings.Contains(b.Reasons[0], "it is in subgraph 1") {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestBottleneckCountsScratch: the operator named is the one at which most bytes are in use, the
// scratch of its kernel included.
func TestBottleneckCountsScratch(t *testing.T) {
	const vela = "micro/person_detect_vela.tflite" // its plan shares memory on purpose
	moved := 0
	for _, library := range []string{"reference", "cmsis-nn-mve", "esp-nn-s3"} {
		device, err := rules.UsualDevice(library)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range corpus.Accepted(t) {
			if !strings.HasPrefix(f.Name, "micro/") {
				continue
			}
			m, err := tflite.Open(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			v, err := rules.Micro().View(m, -1)
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := peak(m, &Candidate{}, device)
			if err != nil {
				t.Fatal(err)
			}
			var own, tensors int64
			for _, r := range device.Requests(m) {
				if r.Subgraph == b.Subgraph && r.Operator == b.Operator {
					own += (r.Bytes + 15) / 16 * 16
				}
			}
			for _, a := range b.Tensors {
				tensors += a.Added
			}
			if most := lifetime.MaxBreadth(v.WithScratch(device.Requests(m))); b.Bytes > most || f.Name != vela && b.Bytes < most || b.Scratch != own || b.Bytes != own+tensors {
				t.Errorf("%s with %s: %+v; the operator's scratch is %d B", f.Name, library, b, own)
			}
			if (b.Cause == ByScratch) != (2*own > b.Bytes) || b.ScratchSource != device.Kernels {
				t.Errorf("%s with %s: %+v", f.Name, library, b)
			}
			if plain, _, err := peak(m, &Candidate{}, rules.DefaultDevice().WithoutScratch()); err != nil || plain.Operator != b.Operator {
				moved++
			}
		}
	}
	if moved < 5 {
		t.Errorf("scratch decides which operator limits the result in %d models: too few to tell", moved)
	}
}

// TestBottleneckOfStatefulConv is the case that was found: the scratch of a convolution is far
// above the tensors at any other operator. It is between operators on variables, and is tiled.
func TestBottleneckOfStatefulConv(t *testing.T) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "found", "second", "stateful_conv.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := peak(m, &Candidate{}, device)
	if err != nil || b.Operator != 6 || b.Name != "CONV_2D" || b.Bytes != 15_792 || b.Scratch != 15_552 {
		t.Errorf("%+v, %v", b, err)
	}
	g := goal()
	g.Budget, g.Device = 8192, device
	if r := run(t, t.Context(), m, g); !r.Met || len(r.Steps[r.Best].Stages) == 0 {
		t.Errorf("%+v", shown(&r.Steps[r.Best]))
	}
}

// TestReasons: what the application reads and writes as a whole is named, and so is the operator
// behind which nothing is cut.
func TestReasons(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	all := func(operator int) string { return strings.Join(reasons(v, 0, operator), "\n") }
	if got := all(0); !strings.Contains(got, "is an input of the model") || !strings.Contains(got, "ends before operator 0:") {
		t.Error(got)
	}
	last := len(m.Subgraphs[0].Operators) - 1
	if got := all(last); !strings.Contains(got, "it cannot be cut into strips or tiles: ") || !strings.Contains(got, "is an output of the model") {
		t.Error(got)
	}
	if got := all(-1); !strings.Contains(got, "the inputs of the model") {
		t.Error(got)
	}
}

// TestBottleneckOfSteps: what is said to be live is at most the head, adds up, and counts outputs in
// place once; and a tiled operator is called tiled.
func TestBottleneckOfSteps(t *testing.T) {
	long(t)
	below, tiledOnes := 0, 0
	for k, m := range some(t, 12) {
		g := goal()
		g.Alias = rules.Aliases()[(k+1)%5]
		r := run(t, t.Context(), m, g)
		for i := range r.Steps {
			b, o, err := peak(m, &r.Steps[i], g.Device)
			if err != nil {
				t.Fatal(err)
			}
			sum := b.Scratch
			for _, a := range b.Tensors {
				sum += a.Added
			}
			if b.Bytes > r.Steps[i].Head || sum != b.Bytes || o.Head != r.Steps[i].Head {
				t.Errorf("%s with %s, %s: %+v, head %d", m.Name, g.Alias, r.Steps[i].Name, b, r.Steps[i].Head)
			}
			if b.Bytes < lifetime.MaxBreadth(o.Records) {
				below++
			}
			out, err := r.Steps[i].model(m)
			if err != nil {
				t.Fatal(err)
			}
			if b.Operator >= 0 && tiled(out, blocks.Of(out), b.Operator) {
				tiledOnes++
				if !strings.HasPrefix(b.Reasons[0], "already tiled") || len(r.Steps[i].Stages) == 0 {
					t.Errorf("%s, %s: %v", m.Name, r.Steps[i].Name, b.Reasons)
				}
			}
		}
	}
	if below < 2 || tiledOnes < 1 {
		t.Errorf("%d steps have outputs in place at the peak, %d are tiled there: too few to tell", below, tiledOnes)
	}
}

// TestCauses: the part of the arena that is largest where the arena counts is the cause, and only what
// is live where just the head does.
func TestCauses(t *testing.T) {
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		model       string
		device      rules.Device
		arena, head Cause
	}{
		{"models/micro/okay_nabu_v2.tflite", rules.DefaultDevice(), BySetup, ByTensors},
		{"models/corner/lyragan.tflite", rules.DefaultDevice(), ByTail, ByTensors},
		{"models/micro/person_detect.tflite", rules.DefaultDevice(), ByTensors, ByTensors},
		{"found/second/stateful_conv.tflite", device, ByScratch, ByScratch},
	} {
		m, err := tflite.Open(filepath.Join(corpus.Dir(t), test.model))
		if err != nil {
			t.Fatal(err)
		}
		for _, head := range []bool{false, true} {
			g, want := goal(), test.arena
			if g.Device, g.Budget = test.device, 1; head {
				g.Budget, g.HeadBudget, want = 0, 1, test.head
			}
			s, err := newSearch(t.Context(), m, &g)
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.bottleneck(&g, s.first)
			if err != nil {
				t.Fatal(err)
			}
			if b.Cause != want || (len(b.Tail) > 0) != (b.Required > 0) || (b.Required > 0) != (want == ByTail || want == BySetup) {
				t.Errorf("%s, head %t: %+v, want %s", test.model, head, b, want)
			}
		}
	}
}
