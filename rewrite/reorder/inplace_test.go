package reorder

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// TestInPlaceOrders compares the orders found for in-place outputs with all orders, by the lower bound of the plans with
// these outputs: most of them are as good as any.
func TestInPlaceOrders(t *testing.T) {
	tried, better, least := 0, 0, 0
	for seed := uint64(0); tried < 25; seed++ {
		m := drawn(t, seed)
		if seed%2 == 0 {
			m = convolutions(t, seed)
		}
		v := sample.Micro(t, m)
		list, ok := all(v, 100)
		if !ok || len(list) == 1 {
			continue
		}
		tried++
		for _, a := range []rules.Alias{rules.OverwriteAlias, rules.DiagonalAlias} {
			c, err := Choose(t.Context(), v, Options{Alias: a, LargerLiteRT: true, WrongLiteRT: true, Unplanned: true})
			if err != nil {
				t.Fatal(err)
			}
			own, want := pin.Bound(v, nil, a), pin.Bound(v, nil, a)
			for _, order := range list {
				want = min(want, pin.Bound(inView(t, v, order), nil, a))
			}
			if got := pin.Bound(inView(t, v, places(v, c.Orders)), nil, a); got != c.Arena || c.OwnArena != own || c.Arena < want {
				t.Errorf("%s, %s: %d B, said to be %d of %d; own %d, least %d", m.Name, a, got, c.Arena, c.OwnArena, own, want)
			}
			if want < own {
				better++
				if c.Arena == want {
					least++
				}
			}
		}
	}
	if better < 5 || least < better*3/4 {
		t.Errorf("%d of %d networks in the best order", least, better)
	}
}
