package op_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestEveryForm computes all facts of operators of every kind with operands of all forms.
func TestEveryForm(t *testing.T) {
	for _, code := range mutate.Codes() {
		for _, options := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			m, err := tflite.Parse(mutate.Zoo(code, options), schema.BuiltinOperator(code).String())
			if err == nil { // some call themselves
				askAll(t, m)
			}
		}
	}
}

// FuzzFacts computes all facts of networks with arbitrarily modified shapes, options, constants
// and indexes.
func FuzzFacts(f *testing.F) {
	for i := range 200 {
		f.Add(i%2 == 0, uint8(i), []byte{byte(7 * i), byte(i / 3), 1, byte(5 * i), byte(11 * i), byte(i), 1, 3, byte(13 * i), byte(i / 2)})
	}
	f.Fuzz(func(t *testing.T, floats bool, from uint8, recipe []byte) {
		data, err := mutate.Hostile(floats, from, recipe)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := tflite.Parse(data, "hostile"); err == nil {
			askAll(t, m)
		}
	})
}

// TestMutated is FuzzFacts for real models.
func TestMutated(t *testing.T) {
	everyModel(t, func(m *tflite.Model) {
		if len(m.Data) > 1<<20 || len(m.Subgraphs) == 0 {
			return
		}
		for i := range 6 {
			root, err := mutate.Read(m.Data)
			if err != nil {
				return
			}
			root.Window(37*i, 8)
			root.Mutate([]byte{byte(3 * i), byte(7 * i), byte(len(m.Data)), byte(29 * i), 5, byte(i), byte(len(m.Data) >> 8), 9, byte(17 * i), 1, 2, byte(i)})
			if broken, err := tflite.Parse(root.Encode(), m.Name); err == nil {
				askAll(t, broken)
			}
		}
	})
}

// askAll computes all facts of a model and checks the invariants of each.
func askAll(t *testing.T, m *tflite.Model) {
	t.Helper()
	giveShapes(m)
	for i := range m.Subgraphs {
		checkSizes(t, m, i)
	}
	everyOperator(m, func(s *tflite.Subgraph, o *tflite.Operator) {
		if shapes, err := op.Shapes(m, s, o); err == nil && len(shapes) != len(o.Outputs) {
			t.Fatalf("%s operator %s: %d shapes for %d outputs", m.Name, o.Name, len(shapes), len(o.Outputs))
		}
		op.WindowOf(m, s, o)
		op.Paddings(m, s, o)
		for output := range o.Outputs {
			regions := op.Regions(m, s, o, output)
			if len(regions) != len(o.Inputs) {
				t.Fatalf("%s operator %s: %d regions for %d inputs", m.Name, o.Name, len(regions), len(o.Inputs))
			}
			for i, r := range regions {
				checkBounds(t, m, s, o, s.Operand(o.Inputs, i), r, s.Operand(o.Outputs, output))
			}
		}
	})
}

// checkSizes checks that sizes are known after operators that run earlier, or the producer itself.
func checkSizes(t *testing.T, m *tflite.Model, subgraph int) {
	t.Helper()
	sizes, err := op.SizesOf(m, subgraph)
	if err != nil {
		return // there may be no limit
	}
	s := &sizes.Largest.Subgraphs[subgraph]
	for i, o := range s.Operators {
		for _, k := range o.Outputs {
			if k >= 0 && sizes.After[k] > len(s.Operators) || k >= 0 && sizes.After[k] < op.Fixed {
				t.Fatalf("%s operator %d:%d %s: tensor %d is known after operator %d", m.Name, subgraph, i, o.Name, k, sizes.After[k])
			}
			if k < 0 || sizes.After[k] == op.Fixed {
				continue
			}
			if n, ok := s.Tensors[k].Elements(); !ok || n > 1<<31 {
				t.Fatalf("%s operator %d:%d %s: tensor %d has %d elements", m.Name, subgraph, i, o.Name, k, n)
			}
		}
	}
}

// giveShapes gives the inputs of a model other shapes.
func giveShapes(m *tflite.Model) {
	if len(m.Subgraphs) == 0 {
		return
	}
	inputs := map[string][]int32{}
	s := &m.Subgraphs[0]
	for _, k := range s.Inputs {
		if k >= 0 {
			shape := slices.Clone(s.Tensors[k].Shape)
			for i := range shape {
				shape[i] = max(shape[i], 0)%64 + 1
			}
			inputs[m.TensorID(0, k)] = shape
		}
	}
	_, _ = op.WithShapes(m, inputs) // it may have no answer
}

// checkBounds checks that the reads are inside the input, and that a smaller box reads no more.
func checkBounds(t *testing.T, m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, in *tflite.Tensor, r op.Region, out *tflite.Tensor) {
	t.Helper()
	if in == nil && r != nil || r != nil && len(r) != len(in.Shape) {
		t.Fatalf("%s operator %d:%d %s: a region %v of input %+v", m.Name, s.Index, o.Index, o.Name, r, in)
	}
	if out == nil {
		return
	}
	all, some := op.Box{}, op.Box{}
	for _, d := range out.Shape {
		n := int64(max(d, 1))
		all, some = append(all, op.Span{To: n}), append(some, op.Span{From: n / 3, To: n/3 + (n+2)/3})
	}
	whole, part := r.Reads(all), r.Reads(some)
	for i := range r {
		n := int64(in.Shape[i])
		if in.Shape[i] < 0 {
			n = op.Open
		}
		w, p := whole[i], part[i]
		if w.From < 0 || w.To > n || w.To < w.From || !p.Empty() && (p.From < w.From || p.To > w.To) {
			t.Fatalf("%s operator %d:%d %s: axis %d, %+v, reads %v of %d, and %v for a part", m.Name, s.Index, o.Index, o.Name, i, r[i], w, n, p)
		}
	}
}
