package parts

import (
	"fmt"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/split"
)

// drawnParts returns a row of operators as they are and some stages over it.
func drawnParts(t *rapid.T, n int) (list []Part) {
	number := func(name string, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, name) }
	for i := range n {
		peak := number("peak", 9)
		list = append(list, Part{From: i, To: i + 1, Cost: Cost{Peak: peak, Sure: peak + number("more", 3)}})
	}
	for k := range rapid.IntRange(0, 8).Draw(t, "stages") {
		from, peak := rapid.IntRange(0, n-1).Draw(t, "from"), number("peak", 9)
		to := rapid.IntRange(from+1, n).Draw(t, "to")
		list = append(list, Part{
			From: from, To: to, Stage: &split.Stage{First: from, Last: to - 1, Rows: k + 2},
			Cost: Cost{Peak: peak, Sure: peak + number("more", 3), MACs: number("macs", 5), Tail: number("tail", 5)},
		})
	}
	return list
}

// paths returns what all paths from a boundary to the last one promise.
func paths(parts []Part, at, n int) (list []Path) {
	if at == n {
		return []Path{{}}
	}
	for _, p := range parts {
		if p.From != at {
			continue
		}
		for _, rest := range paths(parts, p.To, n) {
			path := Path{Cost: p.Cost.Plus(rest.Cost)}
			if p.Stage != nil {
				path.Stages = []split.Stage{*p.Stage}
			}
			path.Stages = append(path.Stages, rest.Stages...)
			list = append(list, path)
		}
	}
	return list
}

// TestFrontier: the paths of the frontier are real ones, none is as good as another in all, and
// for every path there is one with no larger peak and no more work.
func TestFrontier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "boundaries")
		parts := drawnParts(t, n)
		all := paths(parts, 0, n)
		list := Frontier(t.Context(), slices.Clone(parts), n)
		for _, p := range list {
			if !slices.ContainsFunc(all, func(q Path) bool { return q.Cost == p.Cost && slices.Equal(q.Stages, p.Stages) }) {
				t.Fatalf("%+v is not a path", p)
			}
		}
		if err := unbeaten(list); err != nil {
			t.Fatal(err)
		}
		for _, q := range all {
			if !slices.ContainsFunc(list, func(p Path) bool { return p.Cost.Peak <= q.Cost.Peak && p.Cost.MACs <= q.Cost.MACs }) {
				t.Fatalf("nothing is as good as %+v in memory and work: %+v", q, list)
			}
		}
	})
}

// unbeaten returns an error where one path is as good as another in all, or where they are not
// in the order of their peaks.
func unbeaten(list []Path) error {
	for i, p := range list {
		if i > 0 && p.Cost.Peak > list[i-1].Cost.Peak {
			return fmt.Errorf("%+v comes behind %+v", p.Cost, list[i-1].Cost)
		}
		for j, q := range list {
			if i != j && q.Cost.Beats(p.Cost) {
				return fmt.Errorf("%+v is as good as %+v", q.Cost, p.Cost)
			}
		}
	}
	return nil
}
