package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
)

// A builder makes large subgraphs.
type builder struct{ lifetime.Subgraph }

func (b *builder) tensor(size int64) int {
	b.Tensors = append(b.Tensors, lifetime.Tensor{ID: fmt.Sprint(len(b.Tensors)), Size: size, Planned: true})
	return len(b.Tensors) - 1
}

// op adds an operator and returns its output.
func (b *builder) op(size int64, in ...int) int {
	t := b.tensor(size)
	b.Operators = append(b.Operators, lifetime.Operator{Index: len(b.Operators), Inputs: in, Outputs: []int{t}})
	return t
}

func (b *builder) input(size int64) int {
	t := b.tensor(size)
	b.Inputs = append(b.Inputs, t)
	return t
}

// wired adds a stage of randomly wired nodes (Watts and Strogatz 1998, as in RandWire,
// Xie et al. 2019): n nodes on a ring, each with k neighbours, edges rewired with
// probability p and turned from low to high. A node adds its inputs, two by two, and
// makes two more tensors of the result.
func (b *builder) wired(r *rand.Rand, n, k int, p float64, size int64, in int) int {
	edges := map[[2]int]bool{}
	add := func(u, v int) bool {
		e := [2]int{min(u, v), max(u, v)}
		if u == v || edges[e] {
			return false
		}
		edges[e] = true
		return true
	}
	for d := 1; d <= k/2; d++ {
		for u := range n {
			v := (u + d) % n
			if r.Float64() < p {
				v = r.IntN(n)
			}
			for tries := 0; !add(u, v) && tries < 100; tries++ { // all others may be taken
				v = r.IntN(n)
			}
		}
	}
	made := make([]int, n)
	read := make([]bool, n)
	for v := range n {
		sum := -1
		for u := range v {
			if edges[[2]int{u, v}] {
				read[u] = true
				if sum < 0 {
					sum = made[u]
				} else {
					sum = b.op(size, sum, made[u])
				}
			}
		}
		if sum < 0 {
			sum = in
		}
		made[v] = b.op(size, b.op(size, sum))
	}
	out := -1
	for v := range n {
		if !read[v] {
			if out < 0 {
				out = made[v]
			} else {
				out = b.op(size, out, made[v])
			}
		}
	}
	return out
}

// parallel adds a random series-parallel graph of about n operators.
func (b *builder) parallel(r *rand.Rand, n, in int) int {
	size := func() int64 { return 1 + r.Int64N(1000) }
	if n <= 1 {
		return b.op(size(), in)
	}
	if r.IntN(2) == 0 {
		k := 1 + r.IntN(n-1)
		return b.parallel(r, n-k, b.parallel(r, k, in))
	}
	width := 2 + r.IntN(3)
	var ends []int
	for range width {
		ends = append(ends, b.parallel(r, (n-1)/width, in))
	}
	return b.op(size(), ends...)
}

// cell adds a cell as found by DARTS: nodes that each add two operations on earlier ones,
// joined at the end.
func (b *builder) cell(r *rand.Rand, size int64, before, last int) int {
	from := []int{b.op(size, before), b.op(size, last)}
	for range 4 {
		u, v := r.IntN(len(from)), r.IntN(len(from))
		operation := func(t int) int {
			for range 1 + r.IntN(4) {
				t = b.op(size, t)
			}
			return t
		}
		from = append(from, b.op(size, operation(from[u]), operation(from[v])))
	}
	return b.op(4*size, from[2:]...)
}

var hard = []struct {
	name string
	open bool // proof not expected
	make func(r *rand.Rand) *lifetime.Subgraph
}{
	{"wired 32", false, func(r *rand.Rand) *lifetime.Subgraph {
		b := &builder{}
		b.Outputs = []int{b.wired(r, 32, 4, 0.75, 16, b.input(16))}
		return &b.Subgraph
	}},
	{"wired 3x32", false, func(r *rand.Rand) *lifetime.Subgraph {
		b := &builder{}
		t := b.input(64)
		for i := range 3 {
			t = b.wired(r, 32, 4, 0.75, 64>>i, t)
		}
		b.Outputs = []int{t}
		return &b.Subgraph
	}},
	{"series-parallel 1000", true, func(r *rand.Rand) *lifetime.Subgraph {
		b := &builder{}
		b.Outputs = []int{b.parallel(r, 1000, b.input(100))}
		return &b.Subgraph
	}},
	{"cells", false, func(r *rand.Rand) *lifetime.Subgraph {
		b := &builder{}
		before := b.input(64)
		last := before
		for i := range 8 {
			before, last = last, b.cell(r, 64>>(i/3), before, last)
		}
		b.Outputs = []int{last}
		return &b.Subgraph
	}},
	{"layers 60x8", false, func(r *rand.Rand) *lifetime.Subgraph {
		b := &builder{}
		row := []int{b.input(100)}
		for range 60 {
			var next []int
			for range 8 {
				next = append(next, b.op(1+r.Int64N(100), row[r.IntN(len(row))], row[r.IntN(len(row))]))
			}
			row = next
		}
		b.Outputs = []int{b.op(1, row...)}
		return &b.Subgraph
	}},
}

// TestHard searches large graphs. The lowest peak of all but the series-parallel ones must be
// proven with the default number of states.
func TestHard(t *testing.T) {
	n := 2
	switch {
	case testing.Short():
		n = 1
	case *problems >= many:
		n = 5
	}
	for _, h := range hard {
		if h.open && testing.Short() {
			continue
		}
		for i := range n {
			s := h.make(rand.New(rand.NewPCG(*seed, uint64(i))))
			start := time.Now()
			g, err := Least(context.Background(), s, Options{Scopes: true})
			if err != nil {
				t.Fatal(err)
			}
			if *table {
				fmt.Printf("%-22s %2d: %5d ops, own %6d, least %6d, bound %6d %-5v %7d states %8.1f ms\n", h.name, i,
					len(s.Operators), g.Own, g.Peak, g.Bound, g.Proven, g.States, float64(time.Since(start).Microseconds())/1000)
			}
			if got := breadth(s, g.Order, Options{Scopes: true}); got != g.Peak || g.Peak > g.Own || g.Bound > g.Peak {
				t.Errorf("%s %d: peak %d of %d, bound %d, counted %d", h.name, i, g.Peak, g.Own, g.Bound, got)
			}
			if !g.Proven && !h.open {
				t.Errorf("%s %d: peak %d is not proven, bound %d", h.name, i, g.Peak, g.Bound)
			}
		}
	}
}

func BenchmarkLeast(b *testing.B) {
	for _, h := range hard {
		b.Run(h.name, func(b *testing.B) {
			s := h.make(rand.New(rand.NewPCG(7, 0)))
			for b.Loop() {
				if _, err := Least(context.Background(), s, Options{Scopes: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
