package reorder

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// TestInPlaceOrders compares the orders found for in-place outputs with all orders, by the lower bound of the plans with
// these outputs: most of them are as good as any.
func TestInPlaceOrders(t *testing.T) {
	better, least := 0, 0
	for v, list := range smallNetworks(t, 25, 100) {
		for _, a := range []rules.Alias{rules.OverwriteAlias, rules.DiagonalAlias} {
			c, err := Choose(t.Context(), v, Options{Alias: a, LargerLiteRT: true, WrongLiteRT: true, Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if more, err := Choose(t.Context(), v, Options{Alias: a, LargerLiteRT: true, WrongLiteRT: true}); err != nil {
				t.Fatal(err)
			} else if more.Arena > c.Arena {
				t.Errorf("%s, %s: %d B, but quickly %d", v.Model.Name, a, more.Arena, c.Arena)
			} else {
				c.Choice = more.Choice
			}
			own := pin.Bound(v, nil, a)
			want := own
			for _, order := range list {
				want = min(want, pin.Bound(inView(t, v, order), nil, a))
			}
			if got := pin.Bound(inView(t, v, places(v, c.Orders)), nil, a); got != c.Arena || c.OwnArena != own || c.Arena < want {
				t.Errorf("%s, %s: %d B, said to be %d of %d; own %d, least %d", v.Model.Name, a, got, c.Arena, c.OwnArena, own, want)
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
