package order

import "golang.org/x/exp/slices"

// maxForcedMoves is the maximum number of moves of a forced walk.
const maxForcedMoves = 32

// settle makes every forced walk within the budget that it finds: a walk that ends with no more
// bytes alive than at any time before, so that making it at once is safe.
func (w *walk) settle(budget int64) {
	if w.s.without.Forced {
		return
	}
	for again := true; again; {
		again = false
		for k := range w.ready {
			set{w.ready[k]}.each(func(i int32) {
				if v := int32(k<<6) + i; w.ready.has(v) && w.forced(v, budget) {
					again = true
				}
			})
		}
	}
}

// forced makes a forced walk that begins with v, if it finds one. Further moves are limited to
// those that the walk itself enabled.
func (w *walk) forced(v int32, budget int64) bool {
	start, length := w.live, len(w.trail)
	straight := true // each move depends on the one before
	w.next = w.next[:0]
	for range maxForcedMoves {
		if w.tryMove(v) > budget {
			break
		}
		if w.live <= start {
			if !straight {
				w.shorten(length)
			}
			return true
		}
		fresh := len(w.next)
		for _, u := range w.s.wake[v] {
			w.rejections.operator(u)
			if w.waiting[u] == 0 {
				w.next = append(w.next, u)
			}
		}
		i := w.choose(budget, fresh)
		if i < 0 {
			break
		}
		straight = straight && i >= fresh
		v = w.next[i]
		w.next = slices.Delete(w.next, i, i+1)
	}
	w.undoBeyond(length)
	return false
}

// tryMove makes a move of a walk that may be undone.
func (w *walk) tryMove(v int32) int64 {
	length := len(w.trail)
	hill := w.move(v)
	w.rejections.moved(w, w.trail[length:], hill)
	return hill
}

// choose returns the index in w.next of the move with the fewest bytes alive after it, the
// latest of several, or -1 if none is within the budget. Without regions, it considers only the
// moves enabled last.
func (w *walk) choose(budget int64, fresh int) int {
	if w.s.without.Regions {
		w.next = slices.Delete(w.next, 0, fresh)
		fresh = 0
	}
	if len(w.next) == 1 {
		return 0 // the caller checks the budget
	}
	best, least := -1, int64(0)
	for i, v := range w.next {
		length := len(w.trail)
		if w.tryMove(v) <= budget && (best < 0 || w.live <= least) {
			best, least = i, w.live
		}
		w.undoBeyond(length)
	}
	return best
}

// shorten keeps, of the trail beyond length, the largest part with the fewest bytes alive after
// it that can run by itself. A cut finds it, as in [lowerBounds.minLiveBytes]; the part is within the budget
// because the trail is.
func (w *walk) shorten(length int) {
	tail := slices.Clone(w.trail[length:])
	w.undoBeyond(length)
	keep := w.closure(tail)
	for i, v := range tail {
		if keep[i] {
			w.runOperator(v)
		}
	}
}

// closure marks the operators, given in a valid order, in the largest closed set with the
// fewest bytes alive after it.
func (w *walk) closure(ops []int32) []bool {
	const source, sink = 0, 1
	g := &w.net
	g.clear()
	g.nodes(2)
	g.nodes(len(ops))
	node := func(v int32) int32 { return int32(slices.Index(ops, v)) + 2 }
	for _, v := range ops {
		for _, u := range w.s.p.preds[v] {
			if n := node(u); n > sink {
				g.edge(node(v), n, unlimited)
			}
		}
		for _, x := range w.s.p.touch[v] {
			w.value(x, v, ops, node)
		}
	}
	g.flow(source, sink)
	g.toward(sink)
	keep := make([]bool, len(ops))
	for i := range ops {
		keep[i] = g.level[i+2] < 0
	}
	return keep
}

// value adds the edge of value x to the network, if v is the first of the operators to touch it
// and its liveness depends on them.
func (w *walk) value(x, v int32, ops []int32, node func(int32) int32) {
	const source, sink = 0, 1
	t := &w.s.p.values[x]
	inside := 0
	for _, u := range t.ops {
		if n := node(u); n > sink {
			if inside++; n < node(v) {
				return
			}
		}
	}
	begun := t.entry || w.count[x] > 0
	stays := t.kept || int(w.count[x])+inside < len(t.ops)
	if begun && stays {
		return
	}
	born, over := int32(source), int32(sink)
	if !begun {
		born = w.net.nodes(1)
	}
	if !stays {
		over = w.net.nodes(1)
	}
	w.net.edge(born, over, t.size)
	for _, u := range t.ops {
		n := node(u)
		if n <= sink {
			continue
		}
		if !begun {
			w.net.edge(n, born, unlimited)
		}
		if !stays {
			w.net.edge(over, n, unlimited)
		}
	}
}
