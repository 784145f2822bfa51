package reorder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// drawn returns the random network of a seed.
func drawn(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(network.Draw(seed), fmt.Sprintf("network %d", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inOrder returns a model with its operators in another order.
func inOrder(t testing.TB, m *tflite.Model, orders ...[]int) *tflite.Model {
	t.Helper()
	r, err := rewrite.Reorder(m, orders, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// In any order in which nothing is read before it is made the same tensors share memory, and
// nothing is overwritten that is still to be read if, and only if, no hazard is broken.
func TestHazardsInAnyOrder(t *testing.T) {
	kept, lost := 0, 0
	for seed := range uint64(200) {
		m := drawn(t, seed)
		hazards := rules.Hazards(m)
		r := rand.New(rand.NewPCG(seed, 1))
		for range 8 {
			order := network.Order(m, r)
			moved := inOrder(t, m, order)
			list, wrong := broken(hazards, [][]int{order}), rules.Overwritten(moved)
			if (len(list) > 0) != (len(wrong) > 0) {
				t.Fatalf("%s in order %v: hazards broken %+v, overwritten %+v", m.Name, order, list, wrong)
			}
			if len(rules.Hazards(moved)) != len(hazards) {
				t.Fatalf("%s in order %v: %d hazards, %d in the file's", m.Name, order, len(rules.Hazards(moved)), len(hazards))
			}
			switch {
			case len(list) > 0:
				lost++
			case len(hazards) > 0:
				kept++
			}
		}
	}
	if kept < 50 || lost < 50 {
		t.Errorf("hazards were kept in %d orders, and broken in %d: too few to tell", kept, lost)
	}
}

// TestChoiceIsRight: LiteRT runs the chosen order correctly, unless it is the file's own.
func TestChoiceIsRight(t *testing.T) {
	left, gained, mended, broke := 0, 0, 0, 0
	for seed := range uint64(*networks) * 5 {
		m := drawn(t, seed)
		v := sample.Micro(t, m)
		if orders, ok := Careful(v); ok && orders != nil {
			if wrong := rules.Overwritten(inOrder(t, m, orders...)); len(wrong) > 0 {
				t.Fatalf("%s: careful, and yet %s", m.Name, wrong[0].Describe(m))
			}
			mended++
		}
		c, err := Choose(context.Background(), v, Options{Alias: rules.NoAlias, LargerLiteRT: true})
		if err != nil {
			t.Fatal(err)
		}
		moved := inOrder(t, m, c.Orders...)
		wrong := rules.Overwritten(moved)
		if Moved(c.Orders) > 0 && len(wrong) > 0 || (len(wrong) > 0) != (len(c.Broken) > 0) {
			t.Fatalf("%s in orders %v, of which broken is said %+v: %+v", m.Name, c.Orders, c.Broken, wrong)
		}
		if got, err := (Options{Alias: rules.NoAlias}).arena(context.Background(), sample.Micro(t, moved), make([][]int, 1)); err != nil || got != c.Arena {
			t.Fatalf("%s in orders %v: a head of %d B, said to be %d: %v", m.Name, c.Orders, got, c.Arena, err)
		}
		any, err := Choose(context.Background(), v, Options{Alias: rules.NoAlias, WrongLiteRT: true, LargerLiteRT: true})
		if err != nil {
			t.Fatal(err)
		}
		if any.Arena > c.Arena {
			t.Fatalf("%s: %d B in an order of any kind, %d in one that is right", m.Name, any.Arena, c.Arena)
		}
		if c.Wrong > 0 && c.Wrong < c.Arena {
			left++
		}
		if c.Gains() && any.Arena < c.Arena {
			gained++
		}
		if len(any.Broken) > 0 && Moved(any.Orders) > 0 {
			broke++
		}
	}
	t.Logf("better orders left aside: %d, and another one taken instead: %d; the file's mended: %d; wrong ones taken where that is asked for: %d", left, gained, mended, broke)
	if left < 2 || mended < 8 || broke < 2 {
		t.Error("too few to tell")
	}
}

// The least peak is that of all orders that LiteRT runs right, by brute force.
func TestLeastIsRight(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 12; seed++ {
		m := drawn(t, seed)
		hazards := rules.Hazards(m)
		v := sample.Micro(t, m)
		if len(hazards) == 0 {
			continue
		}
		want, ok := leastOf(t, v, hazards, 2_000)
		if !ok {
			continue
		}
		tried++
		own := lifetime.MaxBreadth(v.Records())
		got, err := Least(context.Background(), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Peak != min(want, own) || got.Bound > got.Peak {
			t.Fatalf("%s: least peak %d, bound %d, by brute force %d, in the file's order %d", m.Name, got.Peak, got.Bound, want, own)
		}
	}
}

// leastOf returns the least peak of all orders that break no hazard, or that there are more
// orders than most.
func leastOf(t *testing.T, v *rules.View, hazards []rules.Hazard, most int) (least int64, ok bool) {
	t.Helper()
	least = 1 << 60
	list, ok := all(v, most)
	for _, order := range list {
		if ok && len(broken(hazards, [][]int{order})) == 0 {
			least = min(least, lifetime.MaxBreadth(inView(t, v, order).Records()))
		}
	}
	return least, ok
}
