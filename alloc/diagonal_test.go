package alloc_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A diagonal is records of which some, the input and the output of one operator, may overlap: the
// output has to begin at least a distance before the input, or after its end.
type diagonal struct {
	name    string
	records []lifetime.Record
	before  map[[2]int]int64 // by input and output
}

// apart is what alloc.Options.Forbidden asks.
func (d *diagonal) apart(a, b int) []lifetime.Range {
	lo, hi := 1-d.records[b].Size, d.records[a].Size-1
	if n, ok := d.before[[2]int{a, b}]; ok {
		lo = max(lo, 1-n)
	}
	if n, ok := d.before[[2]int{b, a}]; ok {
		hi = min(hi, n-1)
	}
	if lo > hi {
		return nil
	}
	return []lifetime.Range{{Lo: lo, Hi: hi}}
}

// diagonalOf draws distances like those of kernels: the excess of the output's size over the input's,
// and some rows for the window.
func diagonalOf(name string, records []lifetime.Record, seed uint64) *diagonal {
	r := rand.New(rand.NewPCG(seed, uint64(len(records))))
	d := &diagonal{name: fmt.Sprintf("%s/%d", name, seed), records: records, before: map[[2]int]int64{}}
	for a, in := range records {
		for b, out := range records {
			if a == b || in.Last != out.First || in.First >= out.First || in.Size == 0 || out.Size == 0 || len(in.Gaps)+len(out.Gaps) > 0 || r.IntN(10) == 0 {
				continue
			}
			window := int64(float64(in.Size) * 0.1 * r.Float64())
			if r.IntN(3) == 0 {
				window = 0
			}
			d.before[[2]int{a, b}] = max(0, out.Size-in.Size) + window
		}
	}
	return d
}

// diagonals are those of the shared models, in both runtimes, with so many draws of each.
func diagonals(t testing.TB, draws int) []*diagonal {
	t.Helper()
	var list []*diagonal
	for _, f := range corpus.Accepted(t) {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, runtime := range []string{"litert", "tflm"} {
			set, err := rules.Lookup(runtime)
			if err != nil {
				t.Fatal(err)
			}
			v, err := set.View(m, -1)
			if err != nil || len(v.Records()) < 8 {
				continue
			}
			for seed := range draws {
				name := strings.TrimSuffix(filepath.Base(f.Name), ".tflite") + "/" + runtime
				list = append(list, diagonalOf(name, v.Records(), uint64(seed)))
			}
		}
	}
	return list
}

// TestDiagonalsAreProven: for nearly all models the least total is proven within the nodes that
// a second is enough for.
func TestDiagonalsAreProven(t *testing.T) {
	list := diagonals(t, 1)
	proven := 0
	for _, d := range list {
		start := time.Now()
		plan, err := alloc.Solve(t.Context(), d.records, alloc.Options{
			Approach: alloc.Offsets, Strategy: alloc.Exact, SearchTime: time.Minute, SearchNodes: 1_000_000 / int64(len(d.records)), Forbidden: d.apart,
		})
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		if plan.Optimal {
			proven++
			continue
		}
		t.Logf("%s, %d records: %d bytes, bound %d, %v", d.name, len(d.records), plan.Total, plan.LowerBound, time.Since(start))
	}
	t.Logf("%d of %d proven", proven, len(list))
	if proven*100 < len(list)*90 {
		t.Errorf("only %d of %d are proven", proven, len(list))
	}
}

// TestDiagonalNetworks: chains, with tensors that are kept for later ones, and with branches.
func TestDiagonalNetworks(t *testing.T) {
	for _, kept := range []struct{ oneIn, longest int }{{1 << 30, 1}, {4, 4}, {2, 8}} {
		for _, n := range []int{20, 60, 150, 500} {
			r := rand.New(rand.NewPCG(uint64(n), uint64(kept.longest)))
			records := make([]lifetime.Record, n)
			scale := int64(16)
			for i := range records {
				if r.IntN(10) == 0 {
					scale = 16 << r.IntN(4)
				}
				records[i] = lifetime.Record{First: i, Last: i + 1, Size: scale * (16 + r.Int64N(64)), Align: 16}
				if r.IntN(kept.oneIn) == 0 {
					records[i].Last = min(n, i+1+r.IntN(kept.longest))
				}
			}
			d := diagonalOf(fmt.Sprint(n), records, 1)
			plan, err := alloc.Solve(t.Context(), records, alloc.Options{
				Approach: alloc.Offsets, Strategy: alloc.Exact, SearchTime: time.Minute, SearchNodes: 100_000, Forbidden: d.apart,
			})
			if err != nil || !plan.Optimal {
				t.Errorf("%d records, one in %d kept: %d bytes, bound %d: %v", n, kept.oneIn, plan.Total, plan.LowerBound, err)
			}
		}
	}
}
