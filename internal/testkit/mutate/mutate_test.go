package mutate

import (
	stdbytes "bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// builtin returns a built-in network whose weights lie elsewhere.
func builtin(t *testing.T, name string) []byte {
	t.Helper()
	data, err := models.Build(name, models.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func tree(t fataler, data []byte) *Table {
	t.Helper()
	root, err := Read(data)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return root
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// TestRoundTrip: a model that is read and written unchanged is the same.
func TestRoundTrip(t *testing.T) {
	for _, n := range models.List(models.Tables) {
		data := builtin(t, n.Name)
		root := tree(t, data)
		again := root.Encode()
		if !stdbytes.Equal(again, tree(t, again).Encode()) {
			t.Errorf("%s: written twice it is another file", n.Name)
		}
		want, err := tflite.Parse(data, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tflite.Parse(again, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shapes(want), shapes(got)); diff != "" {
			t.Errorf("%s: %s", n.Name, diff)
		}
	}
}

// shapes lists what operators read and make, by their names.
func shapes(m *tflite.Model) (list []string) {
	s := &m.Subgraphs[0]
	for _, op := range s.Operators {
		line := op.Name
		for _, t := range append(slices.Clone(op.Inputs), op.Outputs...) {
			if t >= 0 {
				line += fmt.Sprintf(" %s%v", s.Tensors[t].Name, s.Tensors[t].Shape)
			}
		}
		list = append(list, line)
	}
	return list
}

// TestMutate: whatever the recipe, the result is a flatbuffer, in which only indexes may be wrong; the
// same recipe gives the same file; and recipes do change models.
func TestMutate(t *testing.T) {
	few := tree(t, builtin(t, "blazeface"))
	few.Window(2, 5)
	before := few.Encode()
	valid, changed, all := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		recipe := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "recipe")
		a, b := tree(t, before), tree(t, before)
		a.Mutate(recipe)
		b.Mutate(recipe)
		mutant := a.Encode()
		if !stdbytes.Equal(mutant, b.Encode()) {
			t.Fatalf("two files of one recipe")
		}
		all++
		if !stdbytes.Equal(mutant, before) {
			changed++
		}
		_, err := tflite.Parse(mutant, "mutant")
		if err != nil && !errors.Is(err, tflite.ErrInvalid) {
			t.Fatalf("%v", err)
		}
		if err == nil {
			valid++
		}
	})
	if changed < all/2 || valid < all/4 {
		t.Errorf("of %d models %d were changed and %d are valid", all, changed, valid)
	}
}

// TestWindow: a window has the operators that were asked for, over their tensors alone.
func TestWindow(t *testing.T) {
	data := builtin(t, "blazeface")
	whole, err := tflite.Parse(data, "blazeface")
	if err != nil {
		t.Fatal(err)
	}
	const from, count = 3, 6
	root := tree(t, data)
	root.Window(from, count)
	m, err := tflite.Parse(root.Encode(), "window")
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	if len(s.Operators) != count || len(s.Inputs) == 0 || len(s.Outputs) == 0 {
		t.Fatalf("%d operators, inputs %v, outputs %v", len(s.Operators), s.Inputs, s.Outputs)
	}
	for i, op := range s.Operators {
		old := &whole.Subgraphs[0].Operators[from+i]
		if op.Name != old.Name || s.Tensors[op.Outputs[0]].Name != whole.Subgraphs[0].Tensors[old.Outputs[0]].Name {
			t.Errorf("operator %d is %s, was %s", i, op.Name, old.Name)
		}
	}
	for i := range s.Tensors {
		if tensor := &s.Tensors[i]; tensor.Producer < 0 && len(tensor.Consumers) == 0 {
			t.Errorf("tensor %s is not used", tensor.Name)
		}
	}
}

// TestZoo: every operator has each number of inputs and outputs, and its own options, if any.
func TestZoo(t *testing.T) {
	with := 0
	for _, code := range Codes() {
		for _, o := range []Options{Absent, Zeros, Ones} {
			data := Zoo(code, o)
			root, err := Read(data)
			if o == Zeros && err != nil && strings.Contains(err.Error(), "call each other in a circle") {
				continue // it calls subgraph 0
			}
			if err != nil {
				t.Fatal(err)
			}
			operators := root.list("subgraphs")[0].list("operators")
			if len(operators) != len(inputCounts)*len(outputCounts)*4 {
				t.Fatalf("%d: %d operators", code, len(operators))
			}
			var seen [][2]int
			for _, op := range operators {
				c := root.list("operator_codes")[op.number(op.of.id("opcode_index"))]
				if got := c.number(c.of.id("builtin_code")); got != code {
					t.Fatalf("an operator is %d, not %d", got, code)
				}
				if n := [2]int{len(op.data("inputs")) / 4, len(op.data("outputs")) / 4}; !slices.Contains(seen, n) {
					seen = append(seen, n)
				}
			}
			if len(seen) != len(inputCounts)*len(outputCounts) {
				t.Errorf("%d: %v inputs and outputs", code, seen)
			}
			if op := operators[0]; o == Zeros && (op.values[op.of.id("builtin_options")] != nil || op.values[op.of.id("builtin_options_2")] != nil) {
				with++
			}
		}
	}
	if most := len(Codes()); with < most*2/3 {
		t.Errorf("%d of %d operators have options", with, most)
	}
}

// TestNetwork: most operators of the small network can be cut into pieces, along the height
// or along the channels, and the rest of it is a model that runs from its input on.
func TestNetwork(t *testing.T) {
	for _, of := range []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8} {
		m, err := tflite.Parse(Network(of), "network")
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		along, channels := split.Cuttable(m), split.ChannelCuttable(m)
		for i := range along {
			if along[i] != nil && channels[i] != nil {
				whole++
				t.Logf("%v; %v", along[i], channels[i])
			}
		}
		if whole > 4 || len(m.Warnings) > 0 {
			t.Errorf("%s: %d of %d operators cannot be cut; warnings %v", of, whole, len(along), m.Warnings)
		}
	}
	m, err := tflite.Parse(Branches(), "branches")
	if err != nil || len(m.Subgraphs[0].Operators[2].Subgraphs) != 2 || len(m.Warnings) > 0 {
		t.Errorf("branches: %v, warnings %v", err, m.Warnings)
	}
}
