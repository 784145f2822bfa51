package rewrite

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A new order is written in place, and says what it did; the old order gives the old
// file back.
func TestReorder(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	orders := [][]int{{1, 0, 2, 3}}
	r, out := reorder(t, m, orders...)
	checkReordered(t, m, orders, r)
	if r.Method != InPlace || len(r.Changes) != 1 || r.Changes[0] != "operators of subgraph 0 with a new place: 2 of 4" {
		t.Errorf("%+v", r)
	}
	if got := out.Subgraphs[0].Operators[0]; got.Name != "CONCATENATION" || got.Outputs[0] != 5 {
		t.Errorf("the first operator is %v", got.Name)
	}
	if back, _ := reorder(t, out, inverse(orders)...); !bytes.Equal(back.Data, m.Data) {
		t.Error("reordering back does not give the old file")
	}
}

// Orders that move nothing give the file itself, plans included.
func TestReorderUnchanged(t *testing.T) {
	for _, m := range []*tflite.Model{modelfile.Build(t, sample.Fork()), sample.Planned(t, sample.Fork(), 0, -1, 16, 32, 48, 64)} {
		for _, orders := range [][][]int{nil, {}, {nil}, {{0, 1, 2, 3}}} {
			r, err := Reorder(m, orders, Options{})
			if err != nil || r.Method != Unchanged || !bytes.Equal(r.Data, m.Data) || r.Added != 0 || r.Changes != nil {
				t.Errorf("%v: %+v, %v", orders, r, err)
			}
		}
	}
}

// A plan goes with the order it was made for: the result is that of reordering the file
// without the plan.
func TestReorderPlanned(t *testing.T) {
	plan := sample.PlanData(1, []int32{0, -1, 16, 32, 48, 64})
	withCustom := sample.Fork()
	withCustom.Subgraphs[0].Operators[1].Custom = "x"
	orders := [][]int{{1, 0, 2, 3}}
	for name, m := range map[string]*tflite.Model{
		"embedded":         sample.Planned(t, sample.Fork(), 0, -1, 16, 32, 48, 64),
		"by another way":   modelfile.Build(t, sample.WithPlan(sample.Fork(), plan)),
		"several":          modelfile.Build(t, sample.WithPlan(sample.WithPlan(sample.Fork(), plan), plan)),
		"cannot be read":   modelfile.Build(t, sample.WithPlan(withCustom, plan[:10])),
		"custom, but ours": modelfile.Build(t, sample.WithPlan(withCustom, plan)),
		"not ours":         modelfile.Build(t, sample.WithPlan(sample.Fork(), sample.PlanData(0, nil))),
	} {
		r, err := Reorder(m, orders, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		gone := remove(t, m)
		want, err := Reorder(modelfile.Parse(t, gone.Data), orders, Options{})
		if err != nil || !bytes.Equal(r.Data, want.Data) || r.Method != gone.Method || r.Added != gone.Added {
			t.Errorf("%s: %s %d B, want %s %d B: %v", name, r.Method, r.Added, gone.Method, gone.Added, err)
		}
		if !strings.HasPrefix(strings.Join(r.Changes, "\n"), strings.Join(gone.Changes, "\n")) {
			t.Errorf("%s: changes %q", name, r.Changes)
		}
		if n := len(patch.PlanEntries(modelfile.Parse(t, r.Data))); n != 0 {
			t.Errorf("%s: %d plans are left", name, n)
		}
	}
}

// What is no permutation is an error, and no refusal.
func TestReorderNoPermutation(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	for _, c := range []struct {
		orders [][]int
		want   string
	}{
		{[][]int{{}}, "the order of subgraph 0 has 0 operators, but the subgraph has 4"},
		{[][]int{{0, 1, 2}}, "has 3 operators, but the subgraph has 4"},
		{[][]int{{0, 1, 2, 3, 4}}, "has 5 operators"},
		{[][]int{{0, 1, 2, 4}}, "has operator 4, but the subgraph has 4"},
		{[][]int{{-1, 1, 2, 3}}, "has operator -1"},
		{[][]int{{0, 1, 1, 3}}, "has operator 1 twice"},
		{[][]int{nil, nil}, "there are 2 orders, the model has 1 subgraphs"},
	} {
		_, err := Reorder(m, c.orders, Options{Force: true})
		if refused := (*RefusedError)(nil); err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.orders, err, c.want)
		}
	}
}

// reordering is a model, an order and what is said against it; empty for nothing.
type reordering struct {
	name  string
	model encode.Model
	order []int
	want  string
	force bool
}

func reorderings() []reordering {
	add := func(in []int, out ...int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: in, Outputs: out}
	}
	ops := func(operators ...encode.Operator) encode.Model {
		m := sample.Chain()
		m.Subgraphs[0].Operators = operators
		return m
	}
	of := func(codes ...schema.BuiltinOperator) encode.Model {
		m := ops()
		for i, code := range codes {
			m.Subgraphs[0].Operators = append(m.Subgraphs[0].Operators, encode.Operator{Builtin: code, Outputs: []int{2 + i}})
		}
		return m
	}
	private := ops(add([]int{0}, 2), add([]int{0}, 3))
	private.Subgraphs[0].Operators[0].Intermediates = []int{4}
	private.Subgraphs[0].Operators[1].Intermediates = []int{4}
	stateful := ops(add([]int{0, 4}, 2), add([]int{0, 4}, 3))
	stateful.Subgraphs[0].Tensors[4].Variable = true
	controlled := sample.Fork()
	controlled.Metadata = append(controlled.Metadata, encode.Metadata{Name: "model_control_dependencies", Buffer: 2})
	dispatched := sample.Fork()
	dispatched.Metadata = append(dispatched.Metadata, encode.Metadata{Name: "LiteRtDispatchBytecodeManifestV1", Buffer: 2})
	foreign := sample.Custom()
	foreign.Subgraphs[0].Operators = append(foreign.Subgraphs[0].Operators, add([]int{0}), add([]int{1}))
	foreign = sample.WithPlan(foreign, sample.PlanData(0, make([]int32, 5)))
	return []reordering{
		{"independent", sample.Fork(), []int{0, 2, 1, 3}, "", false},
		{"reads what the other makes", sample.Fork(), []int{2, 1, 0, 3}, `operator 0:2 ADD would run before operator 0:0 ADD: tensor 0:2 "a", which the first reads, the second writes`, false},
		{"at a distance", sample.Fork(), []int{3, 0, 1, 2}, `operator 0:3 ADD would run before operator 0:1 CONCATENATION: tensor 0:5 "side"`, false},
		{"made again", ops(add([]int{0}, 2), add([]int{0}, 2)), []int{1, 0}, "which the first writes, the second writes", false},
		{"read before it is made", ops(add([]int{2}, 3), add([]int{0}, 2)), []int{1, 0}, "which the first writes, the second reads", false},
		{"the input is overwritten", ops(add([]int{0}, 3), add([]int{2}, 0)), []int{1, 0}, `tensor 0:0 "in"`, false},
		{"in and out", ops(add([]int{2}, 2), add([]int{0}, 3)), []int{1, 0}, "", false},
		{"left out", ops(add([]int{-1}, 2), add([]int{-1}, -1)), []int{1, 0}, "", false},
		{"a variable", stateful, []int{1, 0}, `tensor 0:4 "out", which the first writes, the second writes`, false},
		{"intermediates", private, []int{1, 0}, `tensor 0:4 "out"`, false},
		{"constants", ops(add([]int{1}, 2), add([]int{1}, 3)), []int{1, 0}, "", false},
		{"one custom operator", ops(encode.Operator{Custom: "x", Outputs: []int{2}}, add([]int{0}, 3)), []int{1, 0}, "", false},
		{"custom operators", ops(encode.Operator{Custom: "x", Outputs: []int{2}}, encode.Operator{Custom: "y", Outputs: []int{3}}), []int{1, 0}, "operator 0:1 y would run before operator 0:0 x, and both may have effects", true},
		{"random numbers", of(schema.BuiltinOperatorRANDOM_UNIFORM, schema.BuiltinOperatorMULTINOMIAL), []int{1, 0}, "MULTINOMIAL would run before", true},
		{"resources", of(schema.BuiltinOperatorADD, schema.BuiltinOperatorASSIGN_VARIABLE, schema.BuiltinOperatorREAD_VARIABLE), []int{2, 0, 1}, "READ_VARIABLE would run before operator 0:1 ASSIGN_VARIABLE, and both may have effects", true},
		{"control flow", of(schema.BuiltinOperatorCALL_ONCE, schema.BuiltinOperatorHASHTABLE), []int{1, 0}, "CALL_ONCE", true},
		{"control dependencies", controlled, []int{1, 0, 2, 3}, `the metadata "model_control_dependencies" names operators by their index`, true},
		{"dispatched code", dispatched, []int{1, 0, 2, 3}, "LiteRtDispatchBytecodeManifestV1", true},
		{"another tool's plan", foreign, []int{0, 1, 3, 2}, `the memory plan of another tool, and the custom operator "ethos-u" may rely on it`, true},
	}
}

// Every reason to refuse an order, and orders that just pass.
func TestReorderRefused(t *testing.T) {
	for _, c := range reorderings() {
		t.Run(c.name, func(t *testing.T) {
			m := modelfile.Build(t, c.model)
			r, err := Reorder(m, [][]int{c.order}, Options{})
			refused := (*RefusedError)(nil)
			switch {
			case c.want == "" && err == nil:
				checkReordered(t, m, [][]int{c.order}, r)
				return
			case c.want == "" || !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want):
				t.Fatalf("error %v, want %q", err, c.want)
			case refused.Force != c.force:
				t.Errorf("can be forced: %v", refused.Force)
			}
			r, err = Reorder(m, [][]int{c.order}, Options{Force: true})
			if !c.force {
				if err == nil {
					t.Error("forced")
				}
				return
			}
			if err != nil || !strings.HasPrefix(r.Changes[len(r.Changes)-1], "forced, though refused: ") {
				t.Errorf("forced: %+v, %v", r, err)
			}
		})
	}
}

// precedence, which the tests above lean on, sees each kind of pair.
func TestPrecedence(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	want := mustPrecede{{0, 2}: true, {1, 3}: true, {2, 3}: true}
	if diff := cmp.Diff(want, precedence(m, 0, true)); diff != "" {
		t.Error(diff)
	}
	if got, _ := validOrders(m, lateFirst); !cmp.Equal(got, [][]int{{1, 0, 2, 3}}) {
		t.Errorf("late first: %v", got)
	}
}

// A file that has a reader in front of the operator which makes what it reads is mended
// only when that is asked for, and then nothing else may change places.
func TestReorderMends(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	mixed, err := patch.Reorder(m, [][]int{{2, 0, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	broken := modelfile.Parse(t, mixed)
	right := [][]int{{1, 2, 0, 3}}
	if _, err := Reorder(broken, right, Options{}); err == nil {
		t.Error("an operator came behind the one that makes what it reads, unasked")
	}
	r, err := Reorder(broken, right, Options{Mend: true})
	if err != nil || !bytes.Equal(r.Data, m.Data) {
		t.Errorf("not mended: %v", err)
	}
	for _, wrong := range [][]int{{3, 0, 1, 2}, {1, 3, 0, 2}} {
		if _, err := Reorder(m, [][]int{wrong}, Options{Mend: true}); err == nil {
			t.Errorf("%v: a reader came in front of what it reads", wrong)
		}
	}
}
