package reorder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

func stateful(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(network.Stateful(seed), fmt.Sprintf("stateful network %d", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// permitted calls f with every order of the first subgraph in which nothing is read before it is
// made, and no two operators change places that [network.Conflict] keeps apart. It reports
// whether there are at most as many as wanted.
func permitted(m *tflite.Model, most int, f func(order []int)) bool {
	s := &m.Subgraphs[0]
	waits := make([][]int, len(s.Operators))
	for j := range s.Operators {
		for i := range s.Operators {
			made := slices.ContainsFunc(s.Operators[j].Inputs, func(t int) bool { return slices.Contains(s.Operators[i].Outputs, t) })
			if made || i < j && network.Conflict(m, 0, i, j) {
				waits[j] = append(waits[j], i)
			}
		}
	}
	var order []int
	var grow func() bool
	grow = func() bool {
		if len(order) == len(waits) {
			f(order)
			most--
			return most >= 0
		}
		for j := range waits {
			if slices.Contains(order, j) || slices.ContainsFunc(waits[j], func(i int) bool { return !slices.Contains(order, i) }) {
				continue
			}
			order = append(order, j)
			more := grow()
			if order = order[:len(order)-1]; !more {
				return false
			}
		}
		return true
	}
	return grow()
}

// TestLeastOfStateful: for models with variables, the search finds the lowest peak of all
// orders that keep the accesses to each variable in order, and no order is below its bound.
func TestLeastOfStateful(t *testing.T) {
	tried, better := 0, 0
	for seed := uint64(0); tried < 25; seed++ {
		m := stateful(t, seed)
		v := sample.Micro(t, m)
		got, err := problem(v, nil).Least(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		orders := slices.Clone(got.Orders) // of the subgraphs that are called, too
		want := int64(1 << 60)
		all := permitted(m, 2000, func(order []int) {
			orders[0] = order
			w, err := v.Reordered(orders)
			if err != nil {
				t.Fatal(err)
			}
			want = min(want, lifetime.MaxBreadth(w.Records()))
		})
		if !all {
			continue
		}
		tried++
		if got.Peak != want || got.Bound > want || got.Proven != (got.Bound == got.Peak) || !got.Proven {
			t.Errorf("%s: peak %d, bound %d, proven %v; the least of all orders is %d", m.Name, got.Peak, got.Bound, got.Proven, want)
		}
		if got.Peak < got.Own {
			better++
		}
	}
	if better < 5 {
		t.Errorf("%d of %d models have a better order: too few to tell", better, tried)
	}
}

// The orders that are found, and others that are permitted, compute the same in both runtimes
// from run to run; orders that are not permitted do not.
func TestStatefulInRuntimes(t *testing.T) {
	runtimes, dir := oracle.Start(t), t.TempDir()
	moved, different := 0, 0
	for i := range *networks {
		m := stateful(t, *firstNetwork+uint64(i))
		run := func(m *tflite.Model) (answers [2][][]string) {
			t.Helper()
			for k, runtime := range []string{"tflm", "litert"} {
				a := repeatedly(t, runtimes, dir, m, oracle.Request{Runtime: runtime, Kernels: "BUILTIN_WITHOUT_DEFAULT_DELEGATES"})
				if a.Error != "" {
					t.Fatalf("%s in %s: %s", m.Name, runtime, a.Error)
				}
				answers[k] = a.Outputs
			}
			return answers
		}
		want := run(m)
		c, err := Choose(context.Background(), sample.Micro(t, m), Options{Alias: rules.NoAlias, LargerLiteRT: true})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(i), 3))
		for _, orders := range [][][]int{c.Orders, {permittedOrder(m, r)}} {
			if Moved(orders) == 0 || len(rules.Overwritten(inOrder(t, m, orders...))) > 0 {
				continue
			}
			moved++
			if diff := cmp.Diff(want, run(inOrder(t, m, orders...))); diff != "" {
				t.Errorf("%s in orders %v (-before +after):\n%s", m.Name, orders, diff)
			}
		}
		forced, err := rewrite.Reorder(m, [][]int{network.Order(m, r)}, rewrite.Options{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		out, err := tflite.Parse(forced.Data, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if micro := repeatedly(t, runtimes, dir, out, oracle.Request{Runtime: "tflm"}); micro.Error == "" && !cmp.Equal(micro.Outputs, want[0]) {
			different++
		}
	}
	t.Logf("%d orders moved operators and changed nothing; of %d orders at random %d compute something else", moved, *networks, different)
	if *networks >= 50 && (moved < 30 || different < 5) {
		t.Error("too few to tell")
	}
}

// permittedOrder returns a permitted order at random.
func permittedOrder(m *tflite.Model, r *rand.Rand) (order []int) {
	s := &m.Subgraphs[0]
	for len(order) < len(s.Operators) {
		var ready []int
		for j := range s.Operators {
			waits := slices.Contains(order, j)
			for i := range s.Operators {
				made := slices.ContainsFunc(s.Operators[j].Inputs, func(t int) bool { return slices.Contains(s.Operators[i].Outputs, t) })
				waits = waits || (made || i < j && network.Conflict(m, 0, i, j)) && !slices.Contains(order, i)
			}
			if !waits {
				ready = append(ready, j)
			}
		}
		order = append(order, ready[r.IntN(len(ready))])
	}
	return order
}
