package order

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A space is a problem and its lazy operators. A lazy operator never frees anything, so it runs
// right before its first successor, as part of that operator's move.
type space struct {
	p         *problem
	anc, desc relation
	without   Without
	lazy      []bool
	// needs holds the lazy operators that must run before a non-lazy operator, in a valid
	// order.
	needs [][]int32
	// wait counts the non-lazy operators that must run before the move of an operator; wake
	// lists the operators whose moves depend on it.
	wait []int32
	wake [][]int32
}

func newSpace(p *problem, anc, desc relation, w Without) *space {
	n := len(p.preds)
	if p.first > 0 || p.last > 0 { // depends on which operator is last
		w = Without{Lazy: true, Forced: true}
	}
	s := &space{
		p: p, anc: anc, desc: desc, without: w,
		lazy: make([]bool, n), needs: make([][]int32, n), wait: make([]int32, n), wake: make([][]int32, n),
	}
	if !w.Lazy && n <= maxQuadratic {
		for v := range s.lazy {
			s.lazy[v] = s.isLazy(int32(v))
		}
	}
	for v := range n {
		if !s.lazy[v] {
			s.link(int32(v))
		}
	}
	return s
}

// isLazy reports whether v frees nothing in any order, and whether no successor has a lower
// peak than v itself if v runs right before it.
func (s *space) isLazy(v int32) bool {
	if len(s.p.succs[v]) == 0 {
		return false
	}
	for _, x := range s.p.touch[v] {
		t := &s.p.values[x]
		if !t.kept && !slices.ContainsFunc(t.ops, func(u int32) bool { return s.desc.of(v).has(u) }) {
			return false
		}
	}
	for _, w := range s.p.succs[v] {
		if s.p.extra[v] > s.p.extra[w]+s.allocated(w) {
			return false
		}
	}
	return true
}

// allocated returns the bytes that v makes alive in every order.
func (s *space) allocated(v int32) int64 {
	var sum int64
	for _, x := range s.p.touch[v] {
		t := &s.p.values[x]
		if !t.entry && !slices.ContainsFunc(t.ops, func(u int32) bool { return u != v && !s.desc.of(v).has(u) }) {
			sum += t.size
		}
	}
	return sum
}

// link computes what the move of v needs and depends on.
func (s *space) link(v int32) {
	var waits []int32
	stack := []int32{v}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, u := range s.p.preds[top] {
			switch {
			case !s.lazy[u]:
				waits = append(waits, u)
			case !slices.Contains(s.needs[v], u):
				s.needs[v] = append(s.needs[v], u)
				stack = append(stack, u)
			}
		}
	}
	slices.SortFunc(s.needs[v], func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.anc.of(a).count(), s.anc.of(b).count()), cmp.Compare(a, b))
	})
	slices.Sort(waits)
	waits = slices.Compact(waits)
	s.wait[v] = int32(len(waits))
	for _, u := range waits {
		s.wake[u] = append(s.wake[u], v)
	}
}

// A walk moves between sets of operators that have run.
type walk struct {
	*run
	s          *space
	done       set
	ready      set     // non-lazy operators whose moves can be made
	waiting    []int32 // remaining counts of space.wait
	trail      []int32 // the operators run since the last cut by the caller
	next       []int32 // moves enabled by a forced walk
	net        network
	rejections rejections
}

func newWalk(s *space) *walk {
	n := len(s.wait)
	w := &walk{run: newRun(s.p), s: s, done: newSet(n), ready: newSet(n), waiting: slices.Clone(s.wait)}
	for v := range n {
		if !s.lazy[v] && s.wait[v] == 0 {
			w.ready.add(int32(v))
		}
	}
	return w
}

func (w *walk) runOperator(v int32) int64 {
	hill := w.step(v)
	w.done.add(v)
	w.trail = append(w.trail, v)
	if w.s.lazy[v] {
		return hill
	}
	w.ready.drop(v)
	for _, u := range w.s.wake[v] {
		if w.waiting[u]--; w.waiting[u] == 0 && !w.done.has(u) {
			w.ready.add(u)
		}
	}
	return hill
}

func (w *walk) undo(v int32) {
	w.back(v)
	w.done.drop(v)
	if w.s.lazy[v] {
		return
	}
	if w.waiting[v] == 0 {
		w.ready.add(v)
	}
	for _, u := range w.s.wake[v] {
		if w.waiting[u] == 0 {
			w.ready.drop(u)
		}
		w.waiting[u]++
	}
}

// move runs v and the lazy operators that it needs, and returns the peak.
func (w *walk) move(v int32) int64 {
	var hill int64
	for _, u := range w.s.needs[v] {
		if !w.done.has(u) {
			hill = max(hill, w.runOperator(u))
		}
	}
	return max(hill, w.runOperator(v))
}

// undoBeyond undoes the trail beyond a length.
func (w *walk) undoBeyond(length int) {
	for i := len(w.trail) - 1; i >= length; i-- {
		w.undo(w.trail[i])
	}
	w.trail = w.trail[:length]
}

// switchTo switches to another set and empties the trail.
func (w *walk) switchTo(to set) {
	for k := range to {
		now := w.done[k]
		set{now &^ to[k]}.each(func(i int32) { w.undo(int32(k<<6) + i) })
		set{to[k] &^ now}.each(func(i int32) { w.runOperator(int32(k<<6) + i) })
	}
	w.trail = w.trail[:0]
}
