package mip

import (
	"bytes"
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// A sharing is further permitted sharing, by the names of two records: the distance by which the second
// one has to begin before the first one, or the offset at which it begins in it.
type sharing struct {
	distance, offset map[[2]string]int64
}

// drawApart returns records, each with a name of its own, and what they may share: an output
// may lie over an input that ends at its operator, or at one place of any other record.
func drawApart(s shape, pick source) ([]lifetime.Record, Forbid, sharing) {
	records := s.draw(pick)
	var overlaps []lifetime.Overlap
	var takeovers []lifetime.Takeover
	names := sharing{map[[2]string]int64{}, map[[2]string]int64{}}
	for i := range records {
		records[i].ID = string(rune('a' + i))
	}
	for i, r := range records {
		for j, q := range records {
			pair := [2]string{r.ID, q.ID}
			switch {
			case r.First >= q.First || !r.Overlaps(q):
			case r.Last == q.First && pick(0, 1) == 0:
				o := lifetime.Overlap{From: i, To: j, At: q.First, Distance: s.scale * int64(pick(-s.size, s.size))}
				overlaps, names.distance[pair] = append(overlaps, o), o.Distance
			}
			if r.First < q.First && r.Overlaps(q) && pick(0, 3) == 0 {
				by := s.scale * int64(pick(-2, 2))
				if s.extras {
					by = 0 // which is a multiple of all alignments
				}
				takeovers, names.offset[pair] = append(takeovers, lifetime.Takeover{From: i, To: j, Offset: by}), by
			}
		}
	}
	return records, lifetime.Forbidden(records, overlaps, takeovers), names
}

// clash says by the definitions whether two records may not be at two offsets.
func (n sharing) clash(r, s lifetime.Record, x, y int64) bool {
	if r.First > s.First {
		r, s, x, y = s, r, y, x
	}
	if by, ok := n.offset[[2]string{r.ID, s.ID}]; ok && y-x == by {
		return false
	}
	if least, ok := n.distance[[2]string{r.ID, s.ID}]; ok && x-y >= least {
		return false // they meet at one position alone, the operator
	}
	return clash(r, s, x, y)
}

// TestSolversKnowApart compares with every plan there is, for problems small enough.
func TestSolversKnowApart(t *testing.T) {
	for _, s := range []solver{cbc, glpsol} {
		for _, form := range []string{"lp", "mps"} {
			t.Run(s.name+" "+form, func(t *testing.T) {
				s.need(t)
				smaller := 0
				for seed := range int64(40) {
					shape := shape{records: 5, positions: 2, length: 2, size: 5, extras: seed%3 == 0, scale: 1}
					scale := 1 + 999*(seed%2)
					records, _, names := drawApart(shape, seeded(seed))
					want := scale * bestOffsets(records, names.clash)
					if want < scale*bestOffsets(records, clash) {
						smaller++
					}
					shape.scale = scale
					records, apart, _ := drawApart(shape, seeded(seed))
					if got, proven := total(t, s, form, alloc.Offsets, records, apart, 0); proven && got != want {
						t.Errorf("seed %d: %d bytes, the best is %d\n%+v", seed, got, want, records)
					}
				}
				if smaller < 10 {
					t.Errorf("only %d problems have a smaller plan than without: the test says little", smaller)
				}
			})
		}
	}
}

// TestSolverProvesApart has a solver prove the results of exact for larger problems.
func TestSolverProvesApart(t *testing.T) {
	cbc.need(t)
	proofs := 0
	for seed := range int64(*problems) {
		shape := shape{records: 20, positions: 12, length: 3, size: 9, extras: seed%4 == 0, scale: 1 + 63*(seed%2)}
		records, apart, _ := drawApart(shape, seeded(seed))
		if proves(t, alloc.Offsets, records, apart) {
			proofs++
		}
	}
	t.Logf("%d of %d proven", proofs, *problems)
	if proofs < *problems*9/10 {
		t.Errorf("only %d of %d problems were proven: the test says little", proofs, *problems)
	}
}

// TestPlansApartKeepTheRows shows that no right plan is cut off, and that reading gives a plan
// that is right and no larger.
func TestPlansApartKeepTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]int64{1, 16, 1 << 40}).Draw(t, "scale")
		shape := shape{records: 12, positions: 6, length: 3, size: 9, extras: rapid.Bool().Draw(t, "extras"), scale: scale}
		records, apart, _ := drawApart(shape, fromRapid(t))
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{
			Approach: alloc.Offsets, Strategy: rapid.SampledFrom([]string{"naive", "tile-aware-by-size", "tile-aware-best-fit", alloc.Auto}).Draw(t, "strategy"), Forbidden: apart,
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := newOffsets(records, apart, plan.Total)
		if err != nil {
			t.Fatal(err)
		}
		values := p.valuesOf(records, plan)
		if err := p.evaluate(values); err != nil {
			t.Fatalf("a right plan breaks the program: %v\n%+v\n%v", err, records, plan.Offsets)
		}
		for _, s := range []solver{cbc, glpsol} {
			offsets, total, err := ReadSolution(bytes.NewReader(p.written(s, values)), records, apart)
			if err == nil {
				err = check.Distances(records, offsets, total, apart)
			}
			if err != nil || total > plan.Total {
				t.Fatalf("%s: total %d of a plan of %d, %v", s.name, total, plan.Total, err)
			}
		}
	})
}
