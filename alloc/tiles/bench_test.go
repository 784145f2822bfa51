package tiles

import (
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// network returns n tensors of so many rows for each of some channels, about 50 of them in use
// at a time. A tensor is written row by row, and read row by row some time later.
func network(n, rows, channels int) Problem {
	r := rand.New(rand.NewPCG(uint64(n), uint64(rows)))
	var p Problem
	const every, atOnce = 10, 50 // steps from one tensor to the next
	for i := range n {
		row := 16 * (1 + r.Int64N(64))
		t := lifetime.Tiled{Size: row * int64(rows*channels)}
		written := i * every
		life := r.IntN(2*every*atOnce - 2*rows)
		access := func(write bool, k int) {
			for c := range channels {
				lo := row * int64(c*rows+k)
				t.Accesses = append(t.Accesses, lifetime.Access{Step: written + k, Write: write, Lo: lo, Hi: lo + row})
				if !write {
					t.Accesses[len(t.Accesses)-1].Step += rows + life
				}
			}
		}
		for k := range rows {
			access(true, k)
		}
		for k := range rows {
			access(false, k)
		}
		p.Tensors = append(p.Tensors, t)
	}
	return p
}

// BenchmarkSolve plans 10,000 tensors of 100 chunks each.
func BenchmarkSolve(b *testing.B) {
	for name, p := range map[string]Problem{
		"rows": network(10_000, 100, 1), "channels": network(10_000, 20, 5),
	} {
		for _, s := range []string{"tile-aware-best-fit", "tile-aware-by-size"} {
			b.Run(name+"/"+s, func(b *testing.B) {
				for b.Loop() {
					plan, err := Solve(b.Context(), p, alloc.Options{Strategy: s})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(plan.Total)/float64(plan.LowerBound), "of-bound")
				}
			})
		}
	}
}

// BenchmarkForbidden asks for one pair.
func BenchmarkForbidden(b *testing.B) {
	for name, p := range map[string]Problem{"rows": network(2, 100, 1), "channels": network(2, 20, 5)} {
		b.Run(name, func(b *testing.B) {
			v, err := p.view()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				v.forbidden(0, 1)
			}
		})
	}
}
