package rewrite

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/tflite"
)

// The laws of reordering, on random graphs and any permutation: it is refused when, and
// only when, a pair of operators changes places that may not, as a comparison of all
// pairs finds; whatever is written back is the old file.
func TestReorderLaws(t *testing.T) {
	refusals, results := 0, 0
	property.Until(t, func() bool { return refusals > 0 && results > 0 }, func(t *rapid.T) {
		m := modelfile.Parse(t, sample.DrawReordered(t))
		orders := drawOrders(t, m)
		wrong := false
		for s, order := range inverse(orders) {
			for pair := range precedence(m, s, false) {
				wrong = wrong || order != nil && order[pair[0]] > order[pair[1]]
			}
		}
		r, err := Reorder(m, orders, Options{Force: true})
		if refused := (*RefusedError)(nil); wrong {
			refusals++
			if !errors.As(err, &refused) || refused.Force {
				t.Fatalf("error %v, want a refusal", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		results++
		checkReordered(t, m, orders, r)
		back, err := Reorder(modelfile.Parse(t, r.Data), inverse(orders), Options{Force: true})
		if err != nil || !bytes.Equal(back.Data, m.Data) {
			t.Fatalf("back: %v", err)
		}
	})
}

// drawOrders draws valid orders, orders in which two operators are exchanged, and none.
func drawOrders(t *rapid.T, m *tflite.Model) [][]int {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	orders, _ := validOrders(m, atRandom(r))
	for s, order := range orders {
		switch n := len(order); rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			orders[s] = nil
		case 1, 2:
			if n > 0 {
				i, j := r.IntN(n), r.IntN(n)
				order[i], order[j] = order[j], order[i]
			}
		case 3:
			orders[s] = r.Perm(n)
		}
	}
	return orders[:len(orders)-min(rapid.IntRange(0, 3).Draw(t, "missing"), 1)]
}
