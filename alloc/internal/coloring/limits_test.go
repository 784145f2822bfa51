package coloring

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
)

// joined are the outputs of n operators, all of which one operator joins, and something small
// that each of them needs meanwhile.
func joined(n int) (list []Interval) {
	for i := range n {
		list = append(list,
			Interval{First: i, Last: n, Size: int64(1 + i*7919%1009)},
			Interval{First: i, Last: i + 3, Size: int64(1 + i*31%97)})
	}
	return list
}

// TestSearchAsksWithinNodes: one node of a large problem takes seconds, so ctx is polled by work, and
// the search ends within a node.
func TestSearchAsksWithinNodes(t *testing.T) {
	const looks = 40
	ctx := expiry.New(looks)
	r := Minimize(ctx, joined(800), nil, Options{})
	if !r.Interrupted || ctx.After() > 2 {
		t.Errorf("interrupted %v, asked %d times more", r.Interrupted, ctx.After())
	}
	if r.Nodes > looks {
		t.Errorf("%d nodes in %d looks: each node is more work than one look may wait for", r.Nodes, looks)
	}
}

// TestSearchEndsAnywhere: wherever the search ends, its result is valid.
func TestSearchEndsAnywhere(t *testing.T) {
	list := joined(60)
	last := int64(0)
	for looks := 0; looks < 400; looks += 1 + looks/4 {
		ctx := expiry.New(looks)
		r := Minimize(ctx, list, nil, Options{})
		if ended := ctx.After() > 0; ended != r.Interrupted && !r.Optimal() {
			t.Fatalf("after %d looks: ended %v, interrupted %v", looks, ended, r.Interrupted)
		}
		if r.Objects != nil {
			checkColoring(t, list, r)
		}
		if last > 0 && r.Total > last {
			t.Fatalf("%d bytes after %d looks, %d before", r.Total, looks, last)
		}
		last = r.Total
	}
}

// checkColoring fails the test unless no object holds two intervals at once.
func checkColoring(t *testing.T, list []Interval, r *Result) {
	t.Helper()
	for i, a := range list {
		if a.Size > r.Sizes[r.Objects[i]] {
			t.Fatalf("interval %d is larger than its object", i)
		}
		for j, b := range list[:i] {
			if r.Objects[i] == r.Objects[j] && a.First <= b.Last && b.First <= a.Last {
				t.Fatalf("intervals %d and %d share object %d", i, j, r.Objects[i])
			}
		}
	}
}
