package order

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
)

// A found is the result of a search.
type found struct {
	order []int32 // nil if nothing below the limit was found
	peak  int64
	bound int64 // no order has a lower peak
}

// A meter counts the states found and polls the context.
type meter struct {
	ctx         context.Context
	states      int64 // found
	spent       int64 // of the budget: states, or steps if those are many
	polled      int
	interrupted bool
}

func (m *meter) stopped() bool {
	if m.polled++; m.polled&63 == 0 && deadline.Err(m.ctx) != nil {
		m.interrupted = true
	}
	return m.interrupted
}

// A stateSearch is one search: the states found and the open ones.
type stateSearch struct {
	*states
	w *walk
	m *meter
}

func newStateSearch(s *space, bound int64, m *meter) *stateSearch {
	t := &stateSearch{states: newStates(len(s.lazy)), w: newWalk(s), m: m}
	t.w.settle(bound)
	t.reach(t.w, bound, bound, -1, -1)
	return t
}

// stateSteps is the number of steps charged as one state; in large problems, failed attempts at
// forced walks can be many.
const stateSteps = 100

// spent returns the used part of the budget.
func (t *stateSearch) spent() int { return max(len(t.key), int(t.w.steps/stateSteps)) }

// count adds the states and the cost of the search to the meter.
func (t *stateSearch) count() {
	t.m.states += int64(len(t.key))
	t.m.spent += int64(t.spent())
}

// complete reports whether all operators have run in state i.
func (t *stateSearch) complete(i int32) bool { return int(t.ran[i]) == len(t.w.s.lazy) }

// children calls f for each state one move from i with a key below the limit, if it is new or
// its key has decreased.
func (t *stateSearch) children(i int32, limit int64, f func(j int32)) {
	t.w.switchTo(t.set(i))
	key := t.key[i]
	t.w.recordRejections(key)
	for k := range t.w.ready {
		set{t.w.ready[k]}.each(func(b int32) {
			v := int32(k<<6) + b
			if next := max(key, t.w.move(v)); next < limit {
				t.w.settleOn(next)
				if j, better := t.reach(t.w, next, key, i, v); better {
					f(j)
				}
			}
			t.w.undoBeyond(0)
		})
	}
}

// best is a best-first search: it expands the state with the lowest peak so far, of several the
// one in which most operators have run. The first complete state expanded is an optimal order.
// It considers only peaks below limit, and stops after most states; the bound is then the
// lowest peak among the open ones.
func best(s *space, limit, bound int64, most int, m *meter) found {
	t := newStateSearch(s, bound, m)
	defer t.count()
	open := openHeap{{bound, t.ran[0], 0}}
	for len(open) > 0 {
		top := open.pop()
		bound = max(bound, top.key)
		if top.key != t.key[top.state] {
			continue // a better path has been found since
		}
		if t.complete(top.state) {
			return found{t.path(t.w, top.state), top.key, top.key}
		}
		if t.spent() >= most || m.stopped() {
			return found{bound: bound}
		}
		t.children(top.state, limit, func(j int32) {
			open.push(entry{t.key[j], t.ran[j], j})
		})
	}
	return found{bound: limit}
}

// beam expands states by the number of operators that have run, and keeps at most width per
// number: those with the lowest peak so far, then the fewest bytes alive. If it would find more
// than most states, it continues with only the best of each number. It finds an order below
// limit or none; it proves nothing.
func beam(s *space, limit, bound int64, width, most int, m *meter) found {
	t := newStateSearch(s, bound, m)
	defer t.count()
	n := len(s.lazy)
	layers := make([][]int32, n+1)
	layers[t.ran[0]] = []int32{0}
	for k := range n {
		layer := layers[k]
		slices.Sort(layer)
		layer = slices.Compact(layer)
		slices.SortStableFunc(layer, func(a, b int32) int {
			return cmp.Or(cmp.Compare(t.key[a], t.key[b]), cmp.Compare(t.live[a], t.live[b]))
		})
		wide := min(width, len(layer))
		if t.spent() > most/n*k+1000 {
			wide = min(1, wide)
		}
		for _, i := range layer[:wide] {
			if m.stopped() {
				return found{}
			}
			t.children(i, limit, func(j int32) { layers[t.ran[j]] = append(layers[t.ran[j]], j) })
		}
		layers[k] = nil
	}
	if len(layers[n]) == 0 {
		return found{}
	}
	i := layers[n][0]
	return found{t.path(t.w, i), t.key[i], 0}
}
