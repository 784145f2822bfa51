package models

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/schema"
)

// TestBuildsAreValid checks every file with our reader and with the rules of LiteRT's verifier
// beyond the flatbuffer structure.
func TestBuildsAreValid(t *testing.T) {
	for _, n := range List() {
		for _, name := range []string{n.Name, n.Name + Int8} {
			for _, w := range []Weights{External, Zero, Random} {
				t.Run(name+"/"+string(w), func(t *testing.T) {
					if (n.Name == "inception-v3" || n.Group != Tables) && testing.Short() && w != External {
						t.Skip("up to 50 MB")
					}
					if (n.Group == Papers || name != n.Name) && w == Random {
						t.Skip("up to 500 MB, by the same code")
					}
					checkBuild(t, name, w)
				})
			}
		}
	}
}

func checkBuild(t *testing.T, name string, w Weights) {
	data := build(t, name, Options{Weights: w})
	for _, warning := range parse(t, data, name).Warnings {
		t.Errorf("warning %v", warning)
	}
	for _, problem := range verify(data) {
		t.Error(problem)
	}
}

// verify returns the rules that a file with one subgraph breaks, using only the generated
// accessors.
func verify(data []byte) []string {
	m := schema.GetRootAsModel(data, 0)
	v := verifier{model: m}
	if string(data[4:8]) != schema.Identifier || m.Version() != 3 {
		v.report("identifier %q, version %d", data[4:8], m.Version())
	}
	var first schema.Buffer
	if !m.Buffers(&first, 0) || first.DataLength() != 0 {
		v.report("buffer 0 is missing or not empty")
	}
	m.Subgraphs(&v.sub, 0)
	v.tensors()
	v.operators()
	for i := range v.sub.OutputsLength() {
		if !v.ready[v.sub.Outputs(i)] {
			v.report("graph output %d is never made", v.sub.Outputs(i))
		}
	}
	return v.problems
}

type verifier struct {
	model    *schema.Model
	sub      schema.SubGraph
	ready    map[int32]bool // holds a value at this point of the run
	problems []string
}

func (v *verifier) report(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

func (v *verifier) tensors() {
	v.ready = map[int32]bool{}
	names := map[string]bool{}
	for i := range v.sub.TensorsLength() {
		var t schema.Tensor
		v.sub.Tensors(&t, i)
		if names[string(t.Name())] {
			v.report("two tensors are called %s", t.Name())
		}
		names[string(t.Name())] = true
		if v.constant(&t) {
			v.ready[int32(i)] = true
		}
	}
	for i := range v.sub.InputsLength() {
		if v.ready[v.sub.Inputs(i)] {
			v.report("graph input %d is constant", v.sub.Inputs(i))
		}
		v.ready[v.sub.Inputs(i)] = true
	}
}

// constant reports whether the tensor has data; its length must match the shape and the type.
func (v *verifier) constant(t *schema.Tensor) bool {
	want := uint64(4)
	if t.Type() == schema.TensorTypeINT8 {
		want = 1
	}
	for i := range t.ShapeLength() {
		want *= uint64(t.Shape(i))
	}
	if int(t.Buffer()) >= v.model.BuffersLength() {
		v.report("%s: no buffer %d", t.Name(), t.Buffer())
		return false
	}
	var b schema.Buffer
	v.model.Buffers(&b, int(t.Buffer()))
	length := uint64(b.DataLength())
	if id := t.ExternalBuffer(); id != 0 {
		if length != 0 {
			v.report("%s has both embedded and external data", t.Name())
		}
		length = v.external(t, id)
	}
	if length != 0 && length != want {
		v.report("%s has %d bytes of data for %d", t.Name(), length, want)
	}
	return length != 0
}

func (v *verifier) external(t *schema.Tensor, id uint32) uint64 {
	for i := range v.model.ExternalBuffersLength() {
		var e schema.ExternalBuffer
		if v.model.ExternalBuffers(&e, i) && e.Id() == id {
			if int(e.Group()) >= v.model.ExternalBufferGroupsLength() {
				v.report("%s: no external group %d", t.Name(), e.Group())
			}
			return e.Length()
		}
	}
	v.report("%s: no external buffer %d", t.Name(), id)
	return 0
}

func (v *verifier) operators() {
	for i := range v.sub.OperatorsLength() {
		var o schema.Operator
		v.sub.Operators(&o, i)
		if int(o.OpcodeIndex()) >= v.model.OperatorCodesLength() {
			v.report("operator %d: no operator code %d", i, o.OpcodeIndex())
		}
		for j := range o.InputsLength() {
			if x := o.Inputs(j); x != -1 && !v.ready[x] {
				v.report("operator %d reads tensor %d before it is made", i, o.Inputs(j))
			}
		}
		for j := range o.OutputsLength() {
			if v.ready[o.Outputs(j)] {
				v.report("operator %d makes tensor %d, which is there already", i, o.Outputs(j))
			}
			v.ready[o.Outputs(j)] = true
		}
	}
}

// TestVerifierSeesFaults tests verify: each fault breaks one rule.
func TestVerifierSeesFaults(t *testing.T) {
	for _, test := range []struct {
		problem string
		spoil   func(g *graph)
	}{
		{"before it is made", func(g *graph) {
			ops := g.sub.Operators
			ops[0], ops[1] = ops[1], ops[0]
		}},
		{"there already", func(g *graph) { g.sub.Operators[1].Outputs = g.sub.Operators[0].Outputs }},
		{"bytes of data for", func(g *graph) { g.sub.Tensors[g.weights[0].tensor].Shape[0]++ }},
		{"is constant", func(g *graph) { g.sub.Inputs[0] = g.weights[0].tensor }},
		{"never made", func(g *graph) { g.sub.Operators = g.sub.Operators[:1] }},
		{"no buffer", func(g *graph) { g.sub.Tensors[0].Buffer = 99 }},
	} {
		problems := strings.Join(verify(spoiled(t, test.spoil)), "\n")
		if !strings.Contains(problems, test.problem) {
			t.Errorf("want a problem with %q, got %q", test.problem, problems)
		}
	}
}
