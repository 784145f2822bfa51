package rewrite

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestReorderStates: for models with variables, an order is accepted if and only if a
// comparison of all pairs finds no forbidden swap.
func TestReorderStates(t *testing.T) {
	accepted, refused, swapped := 0, 0, 0
	for seed := range uint64(150) {
		m := modelfile.Parse(t, network.Stateful(seed))
		r := rand.New(rand.NewPCG(seed, 3))
		for range 10 {
			checkStates(t, m, network.Order(m, r), &accepted, &refused, &swapped)
		}
		orders, _ := validOrders(m, atRandom(r))
		checkStates(t, m, orders[0], &accepted, &refused, &swapped)
	}
	if accepted < 150 || refused < 150 || swapped < 150 {
		t.Errorf("%d orders accepted, %d of them with operators on variables in other places, and %d refused: too few to tell", accepted, swapped, refused)
	}
}

// The same for any model, with operators of other kinds on variables.
func TestReorderStatesLaws(t *testing.T) {
	accepted, refused, swapped := 0, 0, 0
	property.Until(t, func() bool { return accepted > 0 && refused > 0 && swapped > 0 }, func(t *rapid.T) {
		m := modelfile.Parse(t, sample.DrawStateful(t))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		orders, _ := validOrders(m, atRandom(r))
		if rapid.Bool().Draw(t, "exchange") && len(orders[0]) > 1 {
			i := r.IntN(len(orders[0]) - 1)
			orders[0][i], orders[0][i+1] = orders[0][i+1], orders[0][i]
		}
		checkStates(t, m, orders[0], &accepted, &refused, &swapped)
	})
}

// checkStates compares what is said of an order of the first subgraph with all pairs. Orders
// that the data forbids are left out.
func checkStates(t sample.TB, m *tflite.Model, order []int, accepted, refused, swapped *int) {
	t.Helper()
	at := inverse([][]int{order})[0]
	for pair := range precedence(m, 0, false) {
		if at[pair[0]] > at[pair[1]] {
			return
		}
	}
	want, moves := true, false
	for i := range at {
		for j := range i {
			want = want && !(at[j] > at[i] && network.Conflict(m, 0, j, i))
			moves = moves || at[j] > at[i] && len(m.Subgraphs[0].Operators[i].Outputs)+len(m.Subgraphs[0].Operators[j].Outputs) < 2
		}
	}
	r, err := Reorder(m, [][]int{order}, Options{})
	no := (*RefusedError)(nil)
	switch {
	case want && err != nil:
		t.Fatalf("order %v: %v", order, err)
	case want:
		*accepted++
		if moves {
			*swapped++
		}
		checkReordered(t, m, [][]int{order}, r)
	case err == nil || !errors.As(err, &no) || !no.Force:
		t.Fatalf("order %v: error %v, want a refusal that can be forced", order, err)
	default:
		*refused++
	}
}

// TestReorderVariables: the text of refusals about variables, and the identity of a variable.
func TestReorderVariables(t *testing.T) {
	const resource = 1 // both of these are handles, the rest values
	handle := func(t int, container, name string) encode.Operator {
		o := network.VarHandle(container, name)
		o.Outputs = []int{t}
		return o
	}
	read := func(t int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE, Inputs: []int{t}, Outputs: []int{3}}
	}
	assign := func(t int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{t, 0}}
	}
	model := func(operators ...encode.Operator) encode.Model {
		m := sample.Chain()
		s := &m.Subgraphs[0]
		s.Tensors = nil
		for t := range 6 {
			tensor := encode.Tensor{Shape: []int32{1}}
			if t == resource || t == resource+1 {
				tensor.Type = schema.TensorTypeRESOURCE
			}
			s.Tensors = append(s.Tensors, tensor)
		}
		s.Inputs, s.Outputs, s.Operators = []int{0}, []int{3}, operators
		return m
	}
	given := model(handle(1, "", "a"), assign(2), read(1))
	given.Subgraphs[0].Inputs = []int{0, 2}
	for _, c := range []struct {
		name  string
		model encode.Model
		order []int
		want  string
	}{
		{"two variables", model(handle(1, "", "a"), handle(2, "", "b"), assign(1), read(2)), []int{1, 0, 3, 2}, ""},
		{"one variable", model(handle(1, "", "a"), handle(2, "", "a"), assign(1), read(2)), []int{0, 1, 3, 2}, `operator 0:3 READ_VARIABLE would run before operator 0:2 ASSIGN_VARIABLE: both access the resource variable "a", and one of them assigns it`},
		{"two containers", model(handle(1, "x", "a"), handle(2, "y", "a"), assign(1), read(2)), []int{0, 1, 3, 2}, ""},
		{"any container", model(handle(1, "x", "a"), handle(2, "", "a"), assign(1), read(2)), []int{0, 1, 3, 2}, "both may have effects"},
		{"handles of any container", model(handle(1, "x", "a"), handle(2, "", "a"), assign(1), read(2)), []int{1, 0, 2, 3}, "both may have effects"},
		{"up to a zero byte", model(handle(1, "", "a\x00b"), handle(2, "", "a\x00c"), assign(1), read(2)), []int{0, 1, 3, 2}, `the resource variable "a"`},
		{"made twice", model(handle(1, "", "a"), handle(1, "", "b"), handle(2, "", "c"), assign(2), read(1)), []int{0, 1, 2, 4, 3}, "both may have effects"},
		{"given", given, []int{0, 2, 1}, "both may have effects"},
		{"custom", model(handle(1, "", "a"), encode.Operator{Custom: "x"}, read(1)), []int{0, 2, 1}, "both may have effects"},
		{"random", model(handle(1, "", "a"), encode.Operator{Builtin: schema.BuiltinOperatorRANDOM_UNIFORM, Outputs: []int{4}}, read(1)), []int{0, 2, 1}, "both may have effects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := modelfile.Build(t, c.model)
			var accepted, refused, swapped int
			checkStates(t, m, c.order, &accepted, &refused, &swapped)
			_, err := Reorder(m, [][]int{c.order}, Options{})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if !slices.IsSorted(c.order) && accepted+refused != 1 {
				t.Errorf("the data forbids the order")
			}
		})
	}
}
