package packing

import (
	"testing"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
)

// TestSearchAsksByWork: a node of a large problem looks at all sections of all items, so ctx is
// asked within few of them.
func TestSearchAsksByWork(t *testing.T) {
	const n, looks = 900, 20
	var items []Item
	for i := range n {
		first := int32(i * 7919 % n)
		items = append(items, Item{
			Spans: []Span{{first, min(first+n/2, n-1)}}, Size: int64(1 + i*104_729%1009), Align: 1, Width: n / 2, Row: i,
		})
	}
	p := New(items, n)
	most := int64(0)
	for _, load := range p.load {
		most = max(most, load)
	}
	s := NewSearch(p, Without{})
	ctx := expiry.New(looks)
	got, _ := s.Run(ctx, most, Order{Keys: "WAT"}, Limits{})
	if got != problem.Unknown || ctx.After() != 1 || s.Nodes > 10*looks {
		t.Errorf("answer %v, asked %d times more, %d nodes in %d looks", got, ctx.After(), s.Nodes, looks)
	}
}

// TestExplanationsAskByWork: with many alignments, explaining a failure takes far longer than the nodes
// themselves, and ctx is polled meanwhile.
func TestExplanationsAskByWork(t *testing.T) {
	for name, align := range map[string]func(i int) int64{
		"primes":        func(i int) int64 { return []int64{1, 2, 3, 5, 7, 11, 13}[i*31%7] },
		"powers of two": func(i int) int64 { return 1 << (i * 7919 % 13) },
	} {
		const n, sections, nodes = 1000, 400, 1200
		var items []Item
		for i := range n {
			a, b := int32(i*7919%sections), int32(i*104_729%397)
			items = append(items, Item{
				Spans: []Span{{min(a, b), max(a, b)}}, Size: int64(1 + i*104_729%20_011), Align: align(i), Width: n / 2, Row: i,
			})
		}
		p := New(items, sections)
		most := int64(0)
		for _, load := range p.load {
			most = max(most, load)
		}
		s := NewSearch(p, Without{})
		ctx := expiry.New(1 << 30)
		s.Run(ctx, most, Order{Keys: "WAT"}, Limits{Nodes: nodes})
		if alone := int(s.Nodes * (nodeWork + p.heldIn) / workPerPoll); ctx.Asked() < alone*3/2 {
			t.Errorf("%s: asked %d times in %d nodes, which ask %d times without their explanations", name, ctx.Asked(), s.Nodes, alone)
		}
	}
}
