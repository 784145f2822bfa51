package order_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
)

var (
	seed     = flag.Uint64("seed", 7, "which random problems they are")
	problems = flag.Int("problems", 1000, "how many random problems are compared with brute force")
)

// many is the number of problems from which the number of hard ones grows, too.
const many = 10_000

// count returns the number of compared problems.
func count() int {
	if testing.Short() {
		return *problems / 5
	}
	return *problems
}

func TestBruteForce(t *testing.T) {
	for i := range count() {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		s, o := random(r, 7), randomOptions(r)
		if s = sorted(s); s == nil {
			continue
		}
		want := brute(s, o)
		for _, bits := range []int{0, r.IntN(128), 32 + 8 + r.IntN(8)} {
			some := without(bits)
			o.Unproven, o.Without = some.Unproven, some.Without
			got, err := Least(context.Background(), s, o)
			if err != nil {
				t.Fatalf("problem %d: %v", i, err)
			}
			own := breadth(s, given(s), o)
			switch peak := breadth(s, got.Order, o); {
			case !valid(s, got.Order):
				t.Fatalf("problem %d: order %v is not valid", i, got.Order)
			case peak != got.Peak || own != got.Own:
				t.Fatalf("problem %d %+v: peaks %d and %d, counted %d and %d", i, o, got.Peak, got.Own, peak, own)
			case got.Peak != want || got.Bound != want || !got.Proven:
				t.Fatalf("problem %d %+v: peak %d, bound %d, brute force has %d", i, o, got.Peak, got.Bound, want)
			case got.Peak == own && !slices.Equal(got.Order, given(s)):
				t.Fatalf("problem %d: the order changed for nothing", i)
			}
		}
	}
}

// TestFewest compares with an exhaustive search over sets of up to twelve operators, some with
// extra bytes, and with searches without some rules.
func TestFewest(t *testing.T) {
	for i := range count() / 10 {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		b := &builder{}
		for range 1 + r.IntN(2) {
			b.input(r.Int64N(8))
		}
		for range 2 + r.IntN(11) {
			in := []int{r.IntN(len(b.Tensors)), r.IntN(len(b.Tensors))}[:1+r.IntN(2)]
			if r.IntN(5) == 0 {
				in = nil
			}
			b.op(r.Int64N(8)*(1+9*int64(r.IntN(5)/4)), in...)
		}
		b.Outputs = []int{len(b.Tensors) - 1, r.IntN(len(b.Tensors))}
		s := &b.Subgraph
		o := Options{Keep: lifetime.Keep{Outputs: true}, Extra: make([]int64, len(s.Operators))}
		if r.IntN(2) == 0 {
			for i := range o.Extra {
				o.Extra[i] = r.Int64N(3) * r.Int64N(10)
			}
		}
		for _, t := range s.Inputs {
			read := slices.Contains(s.Outputs, t)
			for _, op := range s.Operators {
				read = read || slices.Contains(op.Inputs, t)
			}
			if !read {
				s.Tensors[t].Size = 0 // would be alive with the first operator
			}
		}
		want := fewest(s, o)
		for _, bits := range []int{0, r.IntN(128), 32 + 8 + r.IntN(8)} {
			some := without(bits)
			o.Unproven, o.Without = some.Unproven, some.Without
			got, err := Least(context.Background(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Peak != want || !got.Proven || !valid(s, got.Order) {
				t.Fatalf("problem %d without %+v: peak %d, bound %d, want %d", i, some, got.Peak, got.Bound, want)
			}
		}
	}
}

// TestAgree compares searches without some rules with each other on graphs too large for brute
// force.
func TestAgree(t *testing.T) {
	for i := range count() / 20 {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		b := &builder{}
		switch in := b.input(1 + r.Int64N(9)); r.IntN(3) {
		case 0:
			b.Outputs = []int{b.wired(r, 8, 4, 0.75, 1+r.Int64N(9), in)}
		case 1:
			b.Outputs = []int{b.parallel(r, 24, in)}
		default:
			b.Outputs = []int{b.cell(r, 4, b.op(3, in), in)}
		}
		for t := range b.Tensors {
			if r.IntN(3) == 0 {
				b.Tensors[t].Size = r.Int64N(30)
			}
		}
		want := int64(-1)
		for _, bits := range []int{0, 8, 32 + 8, 64 + 32 + 8, 1 + 2 + 8 + 32, 4 + 8 + 32, 2 + 4 + 8 + 16 + 32, r.IntN(128)} {
			o := without(bits)
			o.States = 20_000
			got, err := Least(context.Background(), &b.Subgraph, o)
			if err != nil || want < 0 && !got.Proven {
				t.Fatalf("problem %d: %+v, %v", i, got, err)
			}
			if want < 0 {
				want = got.Peak
			}
			if got.Peak < want || got.Bound > want || got.Proven && got.Peak != want {
				t.Errorf("problem %d without %+v: peak %d, bound %d, otherwise %d", i, without(bits), got.Peak, got.Bound, want)
			}
		}
	}
}
