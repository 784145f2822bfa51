package route

import (
	"context"
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/tflite"
)

// plenty is more plans of links than any search here looks for.
const plenty = 1 << 20

// drawn returns the row of the network of convolutions of a seed, and all parts of it.
func drawn(t *testing.T, seed uint64, alias rules.Alias) (*parts.Row, []parts.Part) {
	t.Helper()
	m, err := tflite.Parse(network.Convolutions(seed, 1), fmt.Sprint("convolutions ", seed))
	if err != nil {
		t.Fatal(err)
	}
	row := parts.New(sample.Micro(t, m), parts.Options{Alias: alias, Device: rules.DefaultDevice().WithoutScratch()})
	list, _ := row.List(t.Context(), 0, plenty, nil)
	return row, list
}

// prices are of work alone, of memory alone, and of both.
var prices = []func(*parts.Part) float64{
	func(p *parts.Part) float64 { return float64(p.Cost.MACs) },
	func(p *parts.Part) float64 { return float64(p.Cost.Tail) },
	func(p *parts.Part) float64 { return float64(p.Cost.MACs)/10 + float64(p.Cost.Tail) },
}

func sum(p *parts.Path, price func(*parts.Part) float64) (sum float64) {
	for k := range p.Parts {
		sum += price(&p.Parts[k])
	}
	return sum
}

// shortest returns the price of the cheapest path whose parts need no more than a peak by
// themselves, by relaxing until nothing changes.
func shortest(row *parts.Row, list []parts.Part, peak int64, price func(*parts.Part) float64) float64 {
	least := make([]float64, row.Len()+1)
	for i := 1; i <= row.Len(); i++ {
		least[i] = math.Inf(1)
	}
	for range row.Len() {
		for k := range list {
			if p := &list[k]; p.Cost.Peak <= peak {
				least[p.To] = min(least[p.To], least[p.From]+price(p))
			}
		}
	}
	return least[row.Len()]
}

// near reports whether two sums are the same but for how they were rounded.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }

// TestCheapestIsShortest: where the arena leaves room for everything, a router finds the shortest
// path that knows of no places.
func TestCheapestIsShortest(t *testing.T) {
	for seed := range uint64(12) {
		row, list := drawn(t, seed, rules.NoAlias)
		limit := int64(1 << 30)
		for _, price := range prices {
			p, ok := New(row, list).Router(t.Context(), Budget{Limit: limit, Peak: limit, Plans: plenty}).Cheapest(price)
			if want := shortest(row, list, limit, price); !ok || !near(sum(&p, price), want) {
				t.Errorf("seed %d: a path of %g, the shortest of %g: %t", seed, sum(&p, price), want, ok)
			}
		}
	}
}

// TestPathsHavePlans: within a limit a path leads from the first boundary to the last, each part
// has a plan with what is handed on in the places of the path, no path is cheaper than the
// shortest one that knows of no places, and none is found where there is none.
func TestPathsHavePlans(t *testing.T) {
	found, none, placed := 0, 0, 0
	for seed := range uint64(10) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			row, list := drawn(t, seed, alias)
			links := New(row, list)
			whole := row.AsIs(0, row.Len()).Cost.Peak
			for eighths := int64(2); eighths <= 9; eighths++ {
				limit := parts.RoundUp(whole * eighths / 8)
				price := prices[(int(seed)+int(eighths))%len(prices)]
				r := links.Router(t.Context(), Budget{Limit: limit, Peak: limit, Plans: plenty})
				p, ok := r.Cheapest(price)
				want := shortest(row, list, limit, price)
				if ok == math.IsInf(want, 1) && ok {
					t.Fatalf("seed %d %s within %d: a path where there is none", seed, alias, limit)
				}
				if !ok {
					none++
					continue
				}
				found++
				placed += len(p.Places)
				if got := sum(&p, price); got < want && !near(got, want) {
					t.Errorf("seed %d %s within %d: a path of %g, the shortest of %g", seed, alias, limit, got, want)
				}
				checkPlans(t, row, &p, limit)
			}
		}
	}
	if found < 40 || none < 15 || placed < 40 {
		t.Errorf("%d paths, with %d tensors in places, and none %d times: too few to tell", found, placed, none)
	}
}

// checkPlans looks for a plan of each part of a path in which the tensors at its ends are in the
// places of the path.
func checkPlans(t *testing.T, row *parts.Row, p *parts.Path, limit int64) {
	t.Helper()
	at := 0
	place := func(boundary int) int64 {
		if bytes, ok := p.Places[row.Crossing(boundary)]; ok && boundary > 0 && boundary < row.Len() {
			return bytes
		}
		return inplace.Anywhere
	}
	for _, part := range p.Parts {
		if part.From != at || part.To <= part.From || part.Cost.Peak > limit {
			t.Errorf("a path at boundary %d goes on from %d to %d, with %+v within %d", at, part.From, part.To, part.Cost, limit)
		}
		at = part.To
		l, err := part.By.Link()
		if err != nil {
			t.Fatal(err)
		}
		in, out := place(part.From), place(part.To)
		offsets, ok := l.Fit(t.Context(), limit, linkNodes, in, out)
		if !ok || out != inplace.Anywhere && l.Out(offsets) != out {
			t.Errorf("from %d to %d within %d: no plan with what comes in at %d and goes out at %d", part.From, part.To, limit, in, out)
		}
	}
	if at != row.Len() {
		t.Errorf("a path ends at boundary %d of %d", at, row.Len())
	}
}

// TestSameAgain: a router finds the same path again, after it was asked for one at another price,
// and with links that others have used.
func TestSameAgain(t *testing.T) {
	for seed := range uint64(10) {
		row, list := drawn(t, seed, rules.SafeAlias)
		limit := row.AsIs(0, row.Len()).Cost.Peak * 3 / 4
		budget := Budget{Limit: limit, Peak: limit, Plans: plenty}
		links := New(row, list)
		used := links.Router(t.Context(), budget)
		first, ok := used.Cheapest(prices[0])
		used.Cheapest(prices[1])
		for k, r := range []*Router{used, links.Router(t.Context(), budget), New(row, list).Router(t.Context(), budget)} {
			if p, again := r.Cheapest(prices[0]); again != ok || p.Cost != first.Cost {
				t.Errorf("seed %d, router %d: %t with %+v, at first %t with %+v", seed, k, again, p.Cost, ok, first.Cost)
			}
		}
	}
}

// TestRouterEnds: a router that may look for no more plans finds nothing and says that none are
// left; and one whose context has ended finds nothing.
func TestRouterEnds(t *testing.T) {
	for seed := range uint64(10) {
		row, list := drawn(t, seed, rules.NoAlias)
		limit := int64(1 << 30)
		if row.Len() < 2 {
			continue
		}
		r := New(row, list).Router(t.Context(), Budget{Limit: limit, Peak: limit, Plans: 1})
		if _, ok := r.Cheapest(prices[0]); ok || r.Left() > 0 {
			t.Errorf("seed %d: a path after one plan, %d left", seed, r.Left())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r = New(row, list).Router(ctx, Budget{Limit: limit, Peak: limit, Plans: plenty})
		if p, ok := r.Cheapest(prices[0]); ok {
			t.Errorf("seed %d: %+v after the end", seed, p.Cost)
		}
	}
}

// TestPeak: no part of a path needs more by itself than is asked for.
func TestPeak(t *testing.T) {
	for seed := range uint64(10) {
		row, list := drawn(t, seed, rules.NoAlias)
		whole := row.AsIs(0, row.Len()).Cost.Peak
		r := New(row, list).Router(t.Context(), Budget{Limit: whole, Peak: whole - 1, Plans: plenty})
		p, ok := r.Cheapest(prices[0])
		if slices.ContainsFunc(p.Parts, func(p parts.Part) bool { return p.Cost.Peak >= whole }) {
			t.Errorf("seed %d: %t, %+v", seed, ok, p.Cost)
		}
	}
}
