package reorder

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// all returns every order of a network in which nothing is read before it is made, and false
// where there are more than most.
func all(v *rules.View, most int) (list [][]int, ok bool) {
	operators := v.Graph.Subgraphs[0].Operators
	var order []int
	var grow func() bool
	grow = func() bool {
		if len(order) == len(operators) {
			list = append(list, slices.Clone(order))
			return len(list) <= most
		}
		for i := range operators {
			if slices.Contains(order, i) || !readyAfter(operators, order, i) {
				continue
			}
			order = append(order, i)
			if !grow() {
				return false
			}
			order = order[:len(order)-1]
		}
		return true
	}
	ok = grow()
	return list, ok
}

// inView returns a view with its operators in an order.
func inView(t *testing.T, v *rules.View, order []int) *rules.View {
	t.Helper()
	w, err := v.Reordered([][]int{order})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// readyAfter reports whether all that an operator reads is made by those in order, or by none.
func readyAfter(operators []lifetime.Operator, order []int, i int) bool {
	for _, t := range operators[i].Inputs {
		for j := range operators {
			if slices.Contains(operators[j].Outputs, t) && !slices.Contains(order, j) {
				return false
			}
		}
	}
	return true
}

// places returns orders with those that are nil written out.
func places(v *rules.View, orders [][]int) []int {
	if len(orders) > 0 && orders[0] != nil {
		return orders[0]
	}
	var own []int
	for i := range v.Graph.Subgraphs[0].Operators {
		own = append(own, i)
	}
	return own
}

// smallNetworks returns a number of networks with at most some orders, and all of these.
func smallNetworks(t *testing.T, number, most int) iter.Seq2[*rules.View, [][]int] {
	return func(yield func(*rules.View, [][]int) bool) {
		for seed := uint64(0); number > 0; seed++ {
			m := drawn(t, seed)
			if seed%3 == 0 {
				m = convolutions(t, seed)
			}
			v := sample.Micro(t, m)
			list, ok := all(v, most)
			if !ok || len(list) == 1 {
				continue
			}
			if number--; !yield(v, list) {
				return
			}
		}
	}
}

// TestChooseAmongAll: what is chosen is one of all orders, no larger than the file's, and as
// large as the arena is in it; the least peak is that of all orders, none has an arena below the
// bound, and where the choice is said to be proven none has a smaller one.
func TestChooseAmongAll(t *testing.T) {
	const tried = 30
	gains, proven := 0, 0
	for v, list := range smallNetworks(t, tried, 300) {
		m := v.Model
		o := Options{Alias: rules.NoAlias, LargerLiteRT: true, WrongLiteRT: true}
		c, err := Choose(t.Context(), v, o)
		if err != nil {
			t.Fatal(err)
		}
		chosen := places(v, c.Orders)
		if !slices.ContainsFunc(list, func(order []int) bool { return slices.Equal(order, chosen) }) {
			t.Fatalf("%s: order %v reads what is not made", m.Name, chosen)
		}
		if got := lifetime.MaxBreadth(inView(t, v, chosen).Records()); got != c.Breadth {
			t.Errorf("%s: breadth %d, said to be %d", m.Name, got, c.Breadth)
		}
		least, peak := c.Arena, lifetime.MaxBreadth(v.Records())
		for _, order := range list {
			w := inView(t, v, order)
			arena, err := o.arena(t.Context(), w, make([][]int, 1))
			if err != nil {
				t.Fatal(err)
			}
			if arena < c.Bound {
				t.Errorf("%s: %d B in order %v, below the bound of %d", m.Name, arena, order, c.Bound)
			}
			if slices.Equal(order, chosen) && arena != c.Arena {
				t.Errorf("%s: %d B in order %v, said to be %d", m.Name, arena, order, c.Arena)
			}
			least, peak = min(least, arena), min(peak, lifetime.MaxBreadth(w.Records()))
		}
		if c.Arena > c.OwnArena || c.Gains() != (c.Arena < c.OwnArena) || !c.Gains() && Moved(c.Orders) > 0 {
			t.Errorf("%s: %d B, own %d, gains %t with %d moved", m.Name, c.Arena, c.OwnArena, c.Gains(), Moved(c.Orders))
		}
		if c.Ordering.Proven && c.Peak != peak || c.Peak < peak || c.Proven() && least < c.Arena {
			t.Errorf("%s: peak %d of %d, arena %d of %d, proven %t and %t", m.Name, c.Peak, peak, c.Arena, least, c.Ordering.Proven, c.Proven())
		}
		if c.Gains() {
			gains++
		}
		if c.Proven() {
			proven++
		}
	}
	if gains < 5 || proven < 10 {
		t.Errorf("of %d networks %d gain, %d are proven: too few to tell", tried, gains, proven)
	}
}

// convolutions returns the network of convolutions of a seed.
func convolutions(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(network.Convolutions(seed, 1), fmt.Sprint("convolutions ", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLiteRTNoLarger: no order is taken in which LiteRT's arena is larger, with memory shared in
// place or without; there are some that are passed for that.
func TestLiteRTNoLarger(t *testing.T) {
	passed, gains := 0, 0
	for seed := range uint64(80) {
		m := drawn(t, seed)
		c, err := Choose(t.Context(), sample.Micro(t, m), Options{Alias: rules.NoAlias})
		if err != nil {
			t.Fatal(err)
		}
		if c.Passed > 0 {
			passed++
		}
		if !c.Gains() {
			continue
		}
		gains++
		moved := inOrder(t, m, c.Orders...)
		r := rules.LiteRT()
		for _, r.InPlace = range []bool{false, true} {
			var bytes [2]int64
			for k, m := range []*tflite.Model{m, moved} {
				v, err := r.View(m, 0)
				if err != nil {
					t.Fatal(err)
				}
				if bytes[k], err = bytesOf(t.Context(), v); err != nil {
					t.Fatal(err)
				}
			}
			if bytes[1] > bytes[0] {
				t.Errorf("%s in place %t: LiteRT's arena grows from %d to %d", m.Name, r.InPlace, bytes[0], bytes[1])
			}
		}
	}
	if passed < 1 || gains < 5 {
		t.Errorf("%d orders were passed, %d gained: too few to tell", passed, gains)
	}
}

// TestChooseEnds: whenever the context ends, an order is valid and no worse than the file's, or
// there is an error.
func TestChooseEnds(t *testing.T) {
	for seed := range uint64(10) {
		v := sample.Micro(t, drawn(t, seed))
		for looks := 0; looks < 200; looks = 2*looks + 1 {
			ctx := expiry.New(looks)
			c, err := Choose(ctx, v, Options{Alias: rules.NoAlias, LargerLiteRT: true})
			switch {
			case err != nil && ctx.After() == 0:
				t.Fatal(err)
			case err == nil && c.Arena > c.OwnArena:
				t.Errorf("seed %d after %d looks: %d B, own %d", seed, looks, c.Arena, c.OwnArena)
			case err == nil:
				if _, err := v.Reordered(c.Orders); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestCompose: to do as one order and then as another comes to what both together do, and an
// order that is nil changes nothing.
func TestCompose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(6)
		first, second, things := r.Perm(n), r.Perm(n), r.Perm(n)
		put := func(list, order []int) (out []int) {
			for _, i := range order {
				out = append(out, list[i])
			}
			return out
		}
		if got, want := put(things, Compose([][]int{first}, [][]int{second})[0]), put(put(things, first), second); !slices.Equal(got, want) {
			t.Fatalf("%v and then %v: %v, not %v", first, second, got, want)
		}
		for _, got := range [][][]int{Compose(nil, [][]int{first}), Compose([][]int{first}, [][]int{nil}), Compose([][]int{nil}, [][]int{first})} {
			if !slices.Equal(got[0], first) {
				t.Fatalf("%v with nothing: %v", first, got)
			}
		}
	}
}

// TestSorted: a file whose operators are in any order has one again in which nothing is read
// before it is made, and one that is in such an order stays.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	wrong := 0
	for seed := range uint64(60) {
		v := sample.Micro(t, drawn(t, seed))
		s := &v.Graph.Subgraphs[0]
		if orders, disorder, err := Sorted(v); err != nil || disorder != nil || Moved(orders) > 0 {
			t.Fatalf("seed %d: %v, %v, %v", seed, orders, disorder, err)
		}
		r.Shuffle(len(s.Operators), func(i, j int) { s.Operators[i], s.Operators[j] = s.Operators[j], s.Operators[i] })
		orders, disorder, err := Sorted(v)
		if err != nil {
			t.Fatal(err)
		}
		if is := order.Check(s) != nil; is != (disorder != nil) || is != (Moved(orders) > 0) || is != errors.As(disorder, new(*order.DisorderError)) {
			t.Errorf("seed %d: disorder %v, order %v", seed, disorder, orders)
		}
		if disorder == nil {
			continue
		}
		wrong++
		sorted := *s
		sorted.Operators = nil
		for _, i := range orders[0] {
			sorted.Operators = append(sorted.Operators, s.Operators[i])
		}
		if err := order.Check(&sorted); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if wrong < 20 {
		t.Errorf("%d files were out of order: too few to tell", wrong)
	}
}
