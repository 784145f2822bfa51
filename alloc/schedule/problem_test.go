package schedule

import (
	"context"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
)

// drawnGraph returns a graph of a subgraph that calls another, or of one alone.
func drawnGraph(t *rapid.T) *lifetime.Graph {
	g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{drawnSubgraph(t, 5)}}
	if rapid.Bool().Draw(t, "calls") {
		g.Subgraphs = append(g.Subgraphs, drawnSubgraph(t, 4))
		caller := rapid.IntRange(0, len(g.Subgraphs[0].Operators)-1).Draw(t, "caller")
		g.Subgraphs[0].Operators[caller].Calls = []int{1}
	}
	return g
}

// drawnSubgraph returns up to so many operators, each of which reads some of what is
// there already.
func drawnSubgraph(t *rapid.T, most int) lifetime.Subgraph {
	s := lifetime.Subgraph{Inputs: []int{0}}
	tensor := func() int {
		s.Tensors = append(s.Tensors, lifetime.Tensor{Size: rapid.Int64Range(0, 9).Draw(t, "size"), Planned: true})
		return len(s.Tensors) - 1
	}
	tensor()
	for i := range rapid.IntRange(1, most).Draw(t, "operators") {
		var inputs []int
		for range rapid.IntRange(0, 2).Draw(t, "inputs") {
			inputs = append(inputs, rapid.IntRange(0, len(s.Tensors)-1).Draw(t, "input"))
		}
		s.Operators = append(s.Operators, lifetime.Operator{Index: i, Inputs: inputs, Outputs: []int{tensor()}})
	}
	s.Outputs = []int{len(s.Tensors) - 1}
	for range rapid.IntRange(0, 1).Draw(t, "untouched") {
		tensor()
	}
	return s
}

// problemOf is the problem of a graph in one arena.
func problemOf(g *lifetime.Graph) *Problem {
	return &Problem{Graph: g, Subgraph: -1, Records: func(orders [][]int) ([]lifetime.Record, error) {
		out := &lifetime.Graph{Subgraphs: slices.Clone(g.Subgraphs)}
		for s, places := range orders {
			if places != nil {
				out.Subgraphs[s] = order.Apply(&g.Subgraphs[s], places)
			}
		}
		u, err := out.Scopes()
		if err != nil {
			return nil, err
		}
		return u.Records, nil
	}}
}

// validOrders returns all orders of a subgraph in which nothing is read before it is made.
func validOrders(s *lifetime.Subgraph) (list [][]int) {
	var grow func(prefix []int)
	grow = func(prefix []int) {
		if len(prefix) == len(s.Operators) {
			list = append(list, slices.Clone(prefix))
			return
		}
		for i := range s.Operators {
			if slices.Contains(prefix, i) {
				continue
			}
			ready := true
			for _, in := range s.Operators[i].Inputs {
				for j := range s.Operators {
					ready = ready && (s.Operators[j].Outputs[0] != in || slices.Contains(prefix, j))
				}
			}
			if ready {
				grow(append(prefix, i))
			}
		}
	}
	grow(nil)
	return list
}

// TestLeastAgainstAllOrders: no order of all subgraphs is below the bound, and none is
// below a peak that is called proven.
func TestLeastAgainstAllOrders(t *testing.T) {
	proven, total := 0, 0
	property.Until(t, func() bool { return total >= 100 }, func(t *rapid.T) {
		g := drawnGraph(t)
		p := problemOf(g)
		o, err := p.Least(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		all := make([][][]int, len(g.Subgraphs))
		for s := range g.Subgraphs {
			all[s] = validOrders(&g.Subgraphs[s])
		}
		if len(all) == 1 {
			all = append(all, [][]int{nil})
		}
		least := o.Own
		for _, a := range all[0] {
			for _, b := range all[1] {
				peak, err := p.peak([][]int{a, b}[:len(g.Subgraphs)])
				if err != nil {
					t.Fatal(err)
				}
				least = min(least, peak)
			}
		}
		if peak, err := p.peak(o.Orders); err != nil || peak != o.Peak {
			t.Fatalf("peak %d, said to be %d: %v", peak, o.Peak, err)
		}
		if o.Bound > least || o.Peak < least || o.Proven && o.Peak != least {
			t.Fatalf("bound %d, peak %d, proven %t; the least is %d", o.Bound, o.Peak, o.Proven, least)
		}
		if total++; o.Proven {
			proven++
		}
	})
	if proven < total*9/10 {
		t.Errorf("%d of %d proven", proven, total)
	}
}

// TestBoundOfUnknownEffects: a bound that is not said to hold only where operators of unknown
// effects keep their order holds wherever they run.
func TestBoundOfUnknownEffects(t *testing.T) {
	var fixed [2]int
	property.Until(t, func() bool { return fixed[0] > 100 && fixed[1] > 10 }, func(t *rapid.T) {
		g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{drawnSubgraph(t, 6)}}
		operators := g.Subgraphs[0].Operators
		for i := range operators {
			if rapid.Bool().Draw(t, "effect") {
				operators[i].Effects = []lifetime.Effect{{State: lifetime.AnyState, Writes: true}}
			}
		}
		p := problemOf(g)
		o, err := p.Least(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		least := o.Own
		for _, a := range validOrders(&g.Subgraphs[0]) {
			peak, err := p.peak([][]int{a})
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, peak)
		}
		if !o.Proven || o.Fixed != (least < o.Bound) {
			t.Fatalf("bound %d, only in order: %t, proven %t; the least of all orders is %d", o.Bound, o.Fixed, o.Proven, least)
		}
		if o.Fixed {
			fixed[1]++
		} else {
			fixed[0]++
		}
	})
}

// TestChooseIsNeverWorse: the arena is that of the orders, and at most that of the order
// given, which is kept where nothing is gained.
func TestChooseIsNeverWorse(t *testing.T) {
	gained := 0
	property.Until(t, func() bool { return gained > 0 }, func(t *rapid.T) {
		p := problemOf(drawnGraph(t))
		measure := func(orders [][]int) (int64, error) {
			peak, err := p.peak(orders)
			return peak + rapid.Int64Range(0, 3).Draw(t, "fragmentation"), err
		}
		c, err := p.Choose(context.Background(), 0, measure)
		if err != nil {
			t.Fatal(err)
		}
		if c.Arena > c.OwnArena || c.Arena < c.Bound {
			t.Fatalf("arena %d, in the order given %d, bound %d", c.Arena, c.OwnArena, c.Bound)
		}
		if peak, err := p.peak(c.Orders); err != nil || peak != c.Breadth {
			t.Fatalf("the breadth is %d, said to be %d: %v", peak, c.Breadth, err)
		}
		for _, places := range c.Orders {
			if !c.Gains() && places != nil {
				t.Fatal("the order changed for nothing")
			}
		}
		if c.Gains() {
			gained++
		}
	})
}

func TestLeastRefusesDisorder(t *testing.T) {
	g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{{
		Tensors: make([]lifetime.Tensor, 3), Outputs: []int{2},
		Operators: []lifetime.Operator{{Inputs: []int{1}, Outputs: []int{2}}, {Outputs: []int{1}}},
	}}}
	if _, err := problemOf(g).Least(context.Background(), 0); err == nil {
		t.Error("an operator may read what a later one makes")
	}
}
