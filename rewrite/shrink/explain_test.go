package shrink

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// explained returns what meets a goal that is not met.
func explained(t *testing.T, m *tflite.Model, g Goal) *Shortfall {
	t.Helper()
	r := run(t, t.Context(), m, g)
	if r.Met {
		t.Fatal("the goal is met")
	}
	e, err := Explain(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExplain: where more work or takeovers meet a budget, just what is named does.
func TestExplain(t *testing.T) {
	long(t)
	m := wide(t, 3)
	g := goal()
	s, err := Frontier(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	points := s.Levels[0].Points
	least := points[len(points)-1]
	if least.ExtraMACs == 0 {
		t.Fatal("nothing here is for more work")
	}
	g.Budget = least.Required * 9 / 10
	meets(t, m, g, func(w *Way) bool { return w.Alias == rules.DiagonalAlias })
	g.Budget, g.MaxOverhead = least.Required, 0
	meets(t, m, g, func(w *Way) bool { return w.MaxOverhead != 0 })
}

// meets wants the way that is meant to be told for a goal, and to meet it.
func meets(t *testing.T, m *tflite.Model, g Goal, meant func(*Way) bool) {
	t.Helper()
	for _, w := range explained(t, m, g).Ways {
		if !meant(&w) {
			continue
		}
		if w.Alias != "" {
			g.Alias = w.Alias
		} else {
			g.MaxOverhead = w.MaxOverhead
		}
		if r := run(t, t.Context(), m, g); !w.Tried || !w.Met || !r.Met {
			t.Errorf("%+v; with just that: met %t", w, r.Met)
		}
		return
	}
	t.Error("what would meet the goal was not tried")
}

// TestExplainStops: without time nothing is called tried, and what binds is said.
func TestExplainStops(t *testing.T) {
	m := wide(t, 3)
	g := goal()
	g.Budget = 1000
	r := run(t, t.Context(), m, g)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := Explain(ctx, m, g, r)
	if err != nil || s.Bottleneck == nil || s.Required != r.Rungs[r.Best].Required-1000 {
		t.Fatalf("%+v, %v", s, err)
	}
	if len(s.Ways) != len(rules.Aliases())-1 {
		t.Errorf("%d ways", len(s.Ways))
	}
	for _, w := range s.Ways {
		if w.Tried || w.Met {
			t.Errorf("%+v", w)
		}
	}
}

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
	m := sample.Build(t, encode.Model{Subgraphs: []encode.Subgraph{
		{Tensors: []encode.Tensor{{Name: "condition", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, row(16), row(16)}, Inputs: []int{0, 1}, Outputs: []int{2}, Operators: []encode.Operator{choice}},
		{Tensors: []encode.Tensor{row(16), row(4096), row(16)}, Inputs: []int{0}, Outputs: []int{2}, Operators: []encode.Operator{relu(0, 1), relu(1, 2)}},
		{Tensors: []encode.Tensor{row(16), row(16)}, Inputs: []int{0}, Outputs: []int{1}, Operators: []encode.Operator{relu(0, 1)}},
	}})
	b, err := bottleneck(m, &Candidate{}, rules.DefaultDevice().WithoutScratch())
	if err != nil || b == nil || b.Subgraph != 1 || b.Operator != 0 || b.Name != "RELU" || !strings.Contains(b.Reasons[0], "it is in subgraph 1") {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestBottleneckCountsScratch: the operator named is the one at which most bytes are in use, the
// scratch of its kernel included.
func TestBottleneckCountsScratch(t *testing.T) {
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
			b, err := bottleneck(m, &Candidate{}, device)
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
				tensors += a.Bytes
			}
			if b.Bytes != lifetime.MaxBreadth(v.WithScratch(device.Requests(m))) || b.Scratch != own || b.Bytes != own+tensors {
				t.Errorf("%s with %s: %+v; the operator's scratch is %d B", f.Name, library, b, own)
			}
			if plain, err := bottleneck(m, &Candidate{}, rules.DefaultDevice().WithoutScratch()); err != nil || plain.Operator != b.Operator {
				moved++
			}
			if text := binding(v, device.Requests(m)); strings.Contains(text, " of scratch") != (own > 0) {
				t.Errorf("%s with %s: %s", f.Name, library, text)
			}
		}
	}
	if moved < 5 {
		t.Errorf("scratch decides which operator binds in %d models: too few to tell", moved)
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
	b, err := bottleneck(m, &Candidate{}, device)
	if err != nil || b.Operator != 6 || b.Name != "CONV_2D" || b.Bytes != 15_792 || b.Scratch != 15_552 {
		t.Errorf("%+v, %v", b, err)
	}
	g := goal()
	g.Budget, g.Device = 8192, device
	if r := run(t, t.Context(), m, g); !r.Met || len(r.Rungs[r.Best].Stages) == 0 {
		t.Errorf("%+v", shown(&r.Rungs[r.Best]))
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
	all := func(operator int) string { return strings.Join(reasons(v, 0, operator, nil), "\n") }
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
