package order_test

import (
	"fmt"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
)

// random returns a small subgraph in valid order, with all special cases: optional and repeated
// tensors, several outputs and readers, graph inputs and outputs, tensors without producer or
// reader, or with several producers, effects on states, and order constraints between
// operators.
func random(r *rand.Rand, most int) *lifetime.Subgraph {
	s := &lifetime.Subgraph{}
	tensor := func() int {
		t := lifetime.Tensor{ID: fmt.Sprint(len(s.Tensors)), Size: r.Int64N(10), Planned: r.IntN(10) > 0}
		if r.IntN(4) == 0 {
			t.Size *= 10
		}
		s.Tensors = append(s.Tensors, t)
		return len(s.Tensors) - 1
	}
	strange, wide := r.IntN(2) == 0, 1+r.IntN(5)
	rare := func(n int) bool { return strange && r.IntN(n) == 0 }
	states := 0
	if rare(2) {
		states = 1 + r.IntN(3)
	}
	var known []int
	for range 1 + r.IntN(3) {
		t := tensor()
		known = append(known, t)
		if !rare(3) {
			s.Inputs = append(s.Inputs, t)
		}
		s.Tensors[t].State = rare(5)
	}
	for i := range 1 + r.IntN(most) {
		op := lifetime.Operator{Index: 100 + i}
		for state := range states {
			if r.IntN(3) == 0 {
				op.Effects = append(op.Effects, lifetime.Effect{State: state, Writes: r.IntN(3) == 0})
			}
		}
		if rare(8) {
			op.Effects = []lifetime.Effect{{State: lifetime.AnyState, Writes: r.IntN(2) == 0}}
		}
		for range r.IntN(4) {
			from := max(0, len(known)-2*wide)
			op.Inputs = append(op.Inputs, known[from+r.IntN(len(known)-from)])
		}
		for range 1 + r.IntN(4)/3 {
			switch {
			case rare(10):
				op.Outputs = append(op.Outputs, known[r.IntN(len(known))])
			case rare(10):
				op.Outputs = append(op.Outputs, -1)
			default:
				op.Outputs = append(op.Outputs, tensor())
			}
		}
		for _, t := range op.Outputs {
			if t >= 0 {
				known = append(known, t)
				s.Tensors[t].State = s.Tensors[t].State || rare(12)
			}
		}
		s.Operators = append(s.Operators, op)
	}
	for t := range s.Tensors {
		if r.IntN(6) == 0 || t == known[len(known)-1] {
			s.Outputs = append(s.Outputs, t)
		}
	}
	if rare(2) {
		tensor()
	}
	for n := len(s.Operators); n > 1 && rare(2); {
		then := 1 + r.IntN(n-1)
		s.Before = append(s.Before, [2]int{100 + r.IntN(then), 100 + then})
	}
	return s
}

func randomOptions(r *rand.Rand) Options {
	if r.IntN(2) == 0 {
		return Options{Scopes: true}
	}
	return Options{Keep: lifetime.Keep{Inputs: r.IntN(2) == 0, Outputs: r.IntN(2) == 0, Unread: r.IntN(2) == 0}}
}

// breadth is the largest breadth as computed by package lifetime.
func breadth(s *lifetime.Subgraph, order []int, o Options) int64 {
	g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{Apply(s, order)}}
	if !o.Scopes {
		return lifetime.MaxBreadth(g.Positions(0, o.Keep).Records)
	}
	u, err := g.Scopes()
	if err != nil {
		panic(err)
	}
	return lifetime.MaxBreadth(u.Records)
}

// follows reports, for any two operators i < j, whether j must run after i.
func follows(s *lifetime.Subgraph) [][]bool {
	touches := func(op lifetime.Operator, t int) bool {
		return slices.Contains(op.Inputs, t) || slices.Contains(op.Outputs, t)
	}
	list := make([][]bool, len(s.Operators))
	for j, b := range s.Operators {
		list[j] = make([]bool, len(s.Operators))
		for i, a := range s.Operators[:j] {
			list[j][i] = conflict(a, b) || slices.Contains(s.Before, [2]int{a.Index, b.Index})
			for t, tensor := range s.Tensors {
				makers := 0
				for _, op := range s.Operators {
					if slices.Contains(op.Outputs, t) {
						makers++
					}
				}
				if slices.Contains(s.Inputs, t) && makers > 0 {
					makers++
				}
				ordered := tensor.State || makers > 1
				if ordered && touches(a, t) && touches(b, t) ||
					slices.Contains(a.Outputs, t) && slices.Contains(b.Inputs, t) {
					list[j][i] = true
				}
			}
		}
	}
	return list
}

// conflict reports whether two operators have an effect on the same state and one of them writes it.
func conflict(a, b lifetime.Operator) bool {
	for _, x := range a.Effects {
		for _, y := range b.Effects {
			anything := x.State == lifetime.AnyState || y.State == lifetime.AnyState
			if anything || x.State == y.State && (x.Writes || y.Writes) {
				return true
			}
		}
	}
	return false
}

// valid reports whether the order has every operator once and obeys the constraints.
func valid(s *lifetime.Subgraph, order []int) bool {
	at := make([]int, len(order))
	for i := range at {
		at[i] = -1
	}
	for i, v := range order {
		if v < 0 || v >= len(at) || at[v] >= 0 {
			return false
		}
		at[v] = i
	}
	for j, list := range follows(s) {
		for i, must := range list {
			if must && at[i] > at[j] {
				return false
			}
		}
	}
	return len(order) == len(s.Operators)
}

// brute evaluates all valid orders with package lifetime.
func brute(s *lifetime.Subgraph, o Options) int64 {
	rules := follows(s)
	best := int64(-1)
	var order []int
	var next func()
	next = func() {
		if len(order) == len(s.Operators) {
			if peak := breadth(s, order, o); best < 0 || peak < best {
				best = peak
			}
			return
		}
	candidates:
		for v := range s.Operators {
			if slices.Contains(order, v) {
				continue
			}
			for u, must := range rules[v] {
				if must && !slices.Contains(order, u) {
					continue candidates
				}
			}
			order = append(order, v)
			next()
			order = order[:len(order)-1]
		}
	}
	next()
	return best
}

// fewest finds the lowest peak over sets of operators that have run; it counts the live bytes
// anew for each set and operator.
func fewest(s *lifetime.Subgraph, o Options) int64 { return fewestOf(s, o.Extra, during) }

// fewestOf is [fewest] with another count of the live bytes.
func fewestOf(s *lifetime.Subgraph, extra []int64, during func(s *lifetime.Subgraph, ran, v int) int64) int64 {
	rules := follows(s)
	n := len(s.Operators)
	const none = int64(-1)
	least := make([]int64, 1<<n)
	for i := range least {
		least[i] = none
	}
	least[0] = 0
	for ran := range least {
		if least[ran] == none {
			continue
		}
	candidates:
		for v := range n {
			if ran>>v&1 != 0 {
				continue
			}
			for u, must := range rules[v] {
				if must && ran>>u&1 == 0 {
					continue candidates
				}
			}
			next := ran | 1<<v
			if peak := max(least[ran], during(s, ran, v)+extra[v]); least[next] == none || peak < least[next] {
				least[next] = peak
			}
		}
	}
	return least[len(least)-1]
}

// during counts the bytes alive while v runs after a set of operators, with outputs kept, for
// tensors that are made once and never changed.
func during(s *lifetime.Subgraph, ran, v int) int64 {
	var sum int64
	for t, tensor := range s.Tensors {
		made, needed := slices.Contains(s.Inputs, t), slices.Contains(s.Outputs, t)
		for i, op := range s.Operators {
			made = made || slices.Contains(op.Outputs, t) && (ran>>i&1 != 0 || i == v)
			needed = needed || ran>>i&1 == 0 && (slices.Contains(op.Inputs, t) || i == v && slices.Contains(op.Outputs, t))
		}
		if made && needed && tensor.Planned {
			sum += tensor.Size
		}
	}
	return sum
}

func given(s *lifetime.Subgraph) []int {
	order := make([]int, len(s.Operators))
	for i := range order {
		order[i] = i
	}
	return order
}

// sorted returns s in valid order, or nil if there is none.
func sorted(s *lifetime.Subgraph) *lifetime.Subgraph {
	order, err := Sorted(s)
	if err != nil {
		return nil
	}
	out := Apply(s, order)
	return &out
}

// without returns the options that disable parts of the search by the bits of a number.
func without(bits int) Options {
	return Options{Unproven: bits&8 != 0, Without: Without{
		Cuts: bits&1 != 0, Lazy: bits&2 != 0, Forced: bits&4 != 0,
		Back: bits&16 != 0, Beam: bits&32 != 0, Regions: bits&64 != 0,
	}}
}
