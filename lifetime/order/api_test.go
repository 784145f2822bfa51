package order_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
)

func TestDisorder(t *testing.T) {
	b := &builder{}
	in := b.input(4)
	a := b.op(4, in)
	b.Outputs = []int{b.op(4, b.op(4, a))}
	s := &b.Subgraph
	if err := Check(s); err != nil {
		t.Fatal(err)
	}
	order := []int{2, 0, 1}
	wrong := Apply(s, order)
	var e *DisorderError
	_, err := Least(context.Background(), &wrong, Options{})
	if !errors.As(err, &e) || e.Reader != 0 || e.Maker != 2 || e.ReaderIndex != 2 || e.MakerIndex != 1 || e.Tensor != 2 {
		t.Errorf("disorder is reported as %+v", err)
	}
	got, err := Sorted(&wrong)
	if err != nil || !slices.Equal(got, []int{1, 2, 0}) {
		t.Errorf("sorted: %v, %v", got, err)
	}
	s.Operators[0].Inputs = s.Operators[2].Outputs
	if _, err := Sorted(s); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a circle is reported as %v", err)
	}
}

// TestSortedKeeps: a valid order is unchanged, and any order of the operators becomes valid.
func TestSortedKeeps(t *testing.T) {
	for i := range 300 {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		b := &builder{}
		b.Outputs = []int{b.parallel(r, 30, b.input(1))}
		s := &b.Subgraph
		if order, err := Sorted(s); err != nil || !slices.Equal(order, given(s)) {
			t.Fatalf("problem %d: sorted to %v, %v", i, order, err)
		}
		mixed := Apply(s, r.Perm(len(s.Operators)))
		if again := sorted(&mixed); again == nil || Check(again) != nil {
			t.Fatalf("problem %d: not sorted", i)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, o := range []Options{{}, {Scopes: true}, {Without: Without{Cuts: true}}} {
		b := &builder{}
		b.Outputs = []int{b.input(12)}
		b.input(8)
		r, err := Least(context.Background(), &b.Subgraph, o)
		if want := breadth(&b.Subgraph, nil, o); err != nil || r.Peak != want || !r.Proven {
			t.Errorf("without operators: %+v, %v, want %d", r, err, want)
		}
		if r.Others(3, 0, 1) != nil {
			t.Error("there are other orders of nothing")
		}
	}
}

func TestRefused(t *testing.T) {
	b := &builder{}
	b.op(-1, b.input(1))
	if _, err := Least(context.Background(), &b.Subgraph, Options{}); err == nil {
		t.Error("a negative size is accepted")
	}
	b.Tensors[1].Size = lifetime.MaxTotal
	if _, err := Least(context.Background(), &b.Subgraph, Options{}); err == nil {
		t.Error("a sum of sizes that is too large is accepted")
	}
	b.Tensors[1].Size = 1
	if _, err := Least(context.Background(), &b.Subgraph, Options{Extra: make([]int64, 2)}); err == nil {
		t.Error("extra bytes for too many operators are accepted")
	}
}

// TestStopped: the result of an interrupted search is correct.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := 8
	switch {
	case testing.Short():
		n = 4
	case *problems >= many:
		n = 20
	}
	for i := range n {
		b := &builder{}
		b.Outputs = []int{b.wired(rand.New(rand.NewPCG(*seed, uint64(i))), 20, 4, 0.75, 16, b.input(16))}
		s := &b.Subgraph
		full, err := Least(context.Background(), s, Options{})
		if err != nil || !full.Proven {
			t.Fatalf("problem %d: %+v, %v", i, full, err)
		}
		for _, states := range []int{-1, 1, 100, 500} {
			r, err := Least(context.Background(), s, Options{States: states})
			if err != nil || r.Peak < full.Peak || r.Bound > full.Peak || r.Proven != (r.Peak == r.Bound) || r.Interrupted {
				t.Errorf("problem %d with %d states: %+v, %v, want %d", i, states, r, err, full.Peak)
			}
		}
		r, err := Least(ctx, s, Options{})
		if err != nil || r.Bound > full.Peak || !valid(s, r.Order) {
			t.Errorf("problem %d, interrupted: %+v, %v", i, r, err)
		}
	}
}

// TestStopsAnywhere: whenever ctx ends, the search stops soon, reports the interruption and
// returns an order; more time never gives a worse one.
func TestStopsAnywhere(t *testing.T) {
	const late = 10
	for _, h := range hard {
		if !h.open {
			continue // the search may end before it polls ctx
		}
		s, last, most := h.make(rand.New(rand.NewPCG(*seed, 0))), int64(-1), 0
		for looks := 0; looks < 2000; looks = 2*looks + 1 {
			ctx := expiry.New(looks)
			r, err := Least(ctx, s, Options{Scopes: true})
			if err != nil || breadth(s, r.Order, Options{Scopes: true}) != r.Peak || r.Interrupted != (ctx.After() > 0) || last >= 0 && r.Peak > last {
				t.Fatalf("%s: after %d looks: %+v, %v; the peak was %d", h.name, looks, r, err, last)
			}
			if ctx.After() > late {
				t.Fatalf("%s: after %d looks: looked %d times more", h.name, looks, ctx.After())
			}
			last, most = r.Peak, ctx.Asked()
		}
		if most < 100 {
			t.Errorf("%s: asked %d times in all", h.name, most)
		}
	}
}

func TestOthers(t *testing.T) {
	for i := range 50 {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		s, o := random(r, 12), randomOptions(r)
		if s = sorted(s); s == nil {
			continue
		}
		least, err := Least(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		slack := r.Int64N(2) * 5
		list := least.Others(5, slack, uint64(i))
		for k, order := range list {
			if !valid(s, order) || breadth(s, order, o) > least.Peak+slack || slices.Equal(order, least.Order) {
				t.Fatalf("problem %d: %v is not another order of %v", i, order, least.Order)
			}
			if again := least.Others(5, slack, uint64(i)); !slices.Equal(again[k], order) {
				t.Fatalf("problem %d: another order with the same seed", i)
			}
		}
	}
}
