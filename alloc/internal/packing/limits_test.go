package packing

import (
	"testing"

	"github.com/tflarena/tflarena/alloc/internal/answer"
	"github.com/tflarena/tflarena/internal/expiry"
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
	if got != answer.Unknown || ctx.After() != 1 || s.Nodes > 10*looks {
		t.Errorf("answer %v, asked %d times more, %d nodes in %d looks", got, ctx.After(), s.Nodes, looks)
	}
}
