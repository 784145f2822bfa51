package order_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
)

// randomShares returns a subgraph in which outputs may share memory with inputs.
func randomShares(r *rand.Rand) *lifetime.Subgraph {
	s := &lifetime.Subgraph{Inputs: []int{0}}
	tensor := func() int {
		s.Tensors = append(s.Tensors, lifetime.Tensor{ID: fmt.Sprint(len(s.Tensors)), Size: 1 + r.Int64N(20), Planned: true})
		return len(s.Tensors) - 1
	}
	tensor()
	read := map[int]bool{}
	for i := range 2 + r.IntN(7) {
		op := lifetime.Operator{Index: i}
		for range 1 + r.IntN(2) {
			if t := r.IntN(len(s.Tensors)); !slices.Contains(op.Inputs, t) {
				op.Inputs, read[t] = append(op.Inputs, t), true
			}
		}
		for _, t := range op.Inputs {
			if r.IntN(3) > 0 {
				s.Shares = append(s.Shares, lifetime.Share{Operator: i, Tensor: t, Bytes: 1 + r.Int64N(s.Tensors[t].Size)})
			}
		}
		for range 1 + r.IntN(4)/3 {
			op.Outputs = append(op.Outputs, tensor())
		}
		s.Operators = append(s.Operators, op)
	}
	for t := range s.Tensors {
		if !read[t] {
			s.Outputs = append(s.Outputs, t)
		}
	}
	return s
}

// duringShared is [during] less what the outputs of v share with inputs that die with it.
func duringShared(s *lifetime.Subgraph, ran, v int) int64 {
	var shared int64
	for _, x := range s.Shares {
		dies := x.Operator == v
		for i, op := range s.Operators {
			dies = dies && (i == v || ran>>i&1 != 0 || !slices.Contains(op.Inputs, x.Tensor))
		}
		if dies {
			shared += x.Bytes
		}
	}
	var most int64
	for _, t := range s.Operators[v].Outputs {
		most += s.Tensors[t].Size
	}
	return during(s, ran, v) - min(shared, most)
}

// TestShares compares the search with in-place outputs with all orders: what it says of its order is right, and it finds and
// proves an optimum, in few states.
func TestShares(t *testing.T) {
	for seed := range uint64(*problems) {
		r := rand.New(rand.NewPCG(seed, 77))
		s := randomShares(r)
		extra := make([]int64, len(s.Operators))
		for i := range extra {
			extra[i] = r.Int64N(4)
		}
		want := fewestOf(s, extra, duringShared)
		for _, o := range []Options{{}, {Without: Without{Forced: true, Lazy: true}}, {Without: Without{Back: true, Beam: true}}} {
			o.Keep.Outputs, o.States, o.Unproven, o.Extra = true, 100_000, true, extra
			got, err := Least(context.Background(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			peak, ran := int64(0), 0
			for _, v := range got.Order {
				peak = max(peak, duringShared(s, ran, v)+extra[v])
				ran |= 1 << v
			}
			if !valid(s, got.Order) || peak != got.Peak || got.Peak != want || !got.Proven || got.States > 5000 {
				t.Fatalf("seed %d, %+v: order %v of peak %d, counted %d, bound %d, want %d, after %d states",
					seed, o.Without, got.Order, got.Peak, peak, got.Bound, want, got.States)
			}
		}
	}
}

// TestWrongShares: shares of what there is not are an error.
func TestWrongShares(t *testing.T) {
	for _, x := range []lifetime.Share{{Operator: 1, Bytes: 1}, {Operator: math.MaxInt, Bytes: 1}, {Tensor: 2, Bytes: 1}, {Tensor: -1}, {Bytes: -1}, {Bytes: 9}} {
		s := &lifetime.Subgraph{
			Tensors: []lifetime.Tensor{{Size: 8, Planned: true}, {Size: 8, Planned: true}}, Inputs: []int{0}, Outputs: []int{1},
			Operators: []lifetime.Operator{{Inputs: []int{0}, Outputs: []int{1}}}, Shares: []lifetime.Share{x},
		}
		if _, err := Least(context.Background(), s, Options{}); err == nil {
			t.Errorf("%+v is no error", x)
		}
	}
}
