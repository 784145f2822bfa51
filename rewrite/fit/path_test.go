package fit

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/split"
)

// drawnEdges returns a row of plain parts and some stages over it.
func drawnEdges(t *rapid.T, n int) (edges []edge) {
	number := func(name string, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, name) }
	for i := range n {
		peak := number("peak", 9)
		edges = append(edges, edge{from: i, to: i + 1, cost: cost{peak: peak, sure: peak + number("more", 3)}})
	}
	for range rapid.IntRange(0, 8).Draw(t, "stages") {
		from, peak := rapid.IntRange(0, n-1).Draw(t, "from"), number("peak", 9)
		edges = append(edges, edge{
			from: from, to: rapid.IntRange(from+1, n).Draw(t, "to"), stage: &split.Stage{},
			cost: cost{peak: peak, sure: peak + number("more", 3), macs: number("macs", 5), tail: number("tail", 5)},
		})
	}
	return edges
}

// paths returns what all paths from a boundary to the last one promise.
func paths(edges []edge, at, n int) (list []point) {
	if at == n {
		return []point{{}}
	}
	for _, e := range edges {
		if e.from != at {
			continue
		}
		for _, rest := range paths(edges, e.to, n) {
			list = append(list, point{cost: e.cost.plus(rest.cost)})
		}
	}
	return list
}

// TestFrontier: the points of the frontier are real paths, none is as good as another in
// all, and for every path there is one with no larger peak and no more work.
func TestFrontier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "boundaries")
		edges := drawnEdges(t, n)
		all := paths(edges, 0, n)
		list := frontier(t.Context(), slices.Clone(edges), n)
		for _, p := range list {
			at := 0
			for _, e := range p.edges {
				if e.from != at {
					t.Fatalf("a path goes on at %d, not at %d", e.from, at)
				}
				at = e.to
			}
			if at != n || !slices.ContainsFunc(all, func(q point) bool { return q.cost == p.cost }) {
				t.Fatalf("%+v is no path", p)
			}
		}
		for i, p := range list {
			for j, q := range list {
				if i != j && q.beats(p.cost) {
					t.Fatalf("%+v is as good as %+v", q, p)
				}
			}
		}
		for _, q := range all {
			if !slices.ContainsFunc(list, func(p point) bool { return p.peak <= q.peak && p.macs <= q.macs }) {
				t.Fatalf("nothing is as good as %+v in memory and work: %+v", q, list)
			}
		}
	})
}
