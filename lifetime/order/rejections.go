package order

import "math"

// rejections record, for a state, what its rejected walks depended on. After a further move, most of
// them would fail in the same way and need not be tried again.
type rejections struct {
	// bit identifies the current walk, zero if nothing is recorded; walks may share a bit.
	bit    uint64
	first  int32 // the first operator of the walk
	start  int64 // the bytes alive in the state
	budget int64
	bits   []uint64 // of the walk that begins with each operator
	// lowestPeak is the lowest peak above the budget in a walk, relative to start.
	lowestPeak []int64
	// values and ops hold the bits of the walks that depend on a value or an operator.
	values, ops []uint64
	ready       set // in the state
}

func (n *rejections) operator(v int32) {
	if n.bit != 0 {
		n.ops[v] |= n.bit
	}
}

func (n *rejections) moved(w *walk, trail []int32, hill int64) {
	if n.bit == 0 {
		return
	}
	for _, v := range trail {
		n.ops[v] |= n.bit
		for _, x := range w.s.p.touch[v] {
			n.values[x] |= n.bit
		}
	}
	if hill > n.budget {
		n.lowestPeak[n.first] = min(n.lowestPeak[n.first], hill-n.start)
	}
}

// clear prepares notes for the current state of the walk.
func (n *rejections) clear(w *walk, budget int64) {
	if n.ops == nil {
		ops := len(w.waiting)
		n.bits, n.lowestPeak, n.ops = make([]uint64, ops), make([]int64, ops), make([]uint64, ops)
		n.values = make([]uint64, len(w.s.p.values))
		n.ready = newSet(ops)
	}
	clear(n.values)
	clear(n.ops)
	copy(n.ready, w.ready)
	n.start, n.budget = w.live, budget
}

// recordRejections tries each walk of the state and undoes it.
func (w *walk) recordRejections(budget int64) {
	if w.s.without.Forced {
		return
	}
	n := &w.rejections
	n.clear(w, budget)
	next := 0
	for k := range w.ready {
		set{w.ready[k]}.each(func(i int32) {
			v, length := int32(k<<6)+i, len(w.trail)
			n.bit, n.first, n.lowestPeak[v] = 1<<(next&63), v, math.MaxInt64/2
			n.bits[v] = n.bit
			if next++; w.forced(v, budget) {
				n.lowestPeak[v] = 0 // always try again
			}
			w.undoBeyond(length)
		})
	}
	n.bit = 0
}

// settleOn settles, but retries only the walks affected by the trail since the noted state.
func (w *walk) settleOn(budget int64) {
	if w.s.without.Forced {
		return
	}
	n := &w.rejections
	var stale uint64
	seen := 0
	for again := true; again; {
		again = false
		for k := range w.ready {
			set{w.ready[k]}.each(func(i int32) {
				v := int32(k<<6) + i
				for ; seen < len(w.trail); seen++ {
					stale |= w.concerns(w.trail[seen])
				}
				if !w.ready.has(v) || n.ready.has(v) && n.bits[v]&stale == 0 && w.live+n.lowestPeak[v] > budget {
					return
				}
				if w.forced(v, budget) {
					again = true
				}
			})
		}
	}
}

// concerns returns the bits of the walks affected by running v.
func (w *walk) concerns(v int32) uint64 {
	bits := w.rejections.ops[v]
	for _, x := range w.s.p.touch[v] {
		bits |= w.rejections.values[x]
	}
	for _, u := range w.s.wake[v] {
		bits |= w.rejections.ops[u]
	}
	return bits
}
