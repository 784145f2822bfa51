package order

import "math"

// notes say, for a state, what the walks that are not forced in it looked at. Behind
// a further move most of them would fail in the same way and need not be tried again.
type notes struct {
	// bit is that of the walk under way, zero when nothing is to be noted; walks may
	// share a bit.
	bit    uint64
	first  int32 // the operator the walk begins with
	start  int64 // the bytes alive in the state
	budget int64
	bits   []uint64 // of each operator that begins a walk
	// need is the least peak above the budget that a walk met, beyond start.
	need []int64
	// values and ops are the bits of the walks that a value or an operator matters to.
	values, ops []uint64
	ready       set // in the state
}

func (n *notes) operator(v int32) {
	if n.bit != 0 {
		n.ops[v] |= n.bit
	}
}

func (n *notes) moved(w *walk, trail []int32, hill int64) {
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
		n.need[n.first] = min(n.need[n.first], hill-n.start)
	}
}

// clear prepares notes for the state the walk is in.
func (n *notes) clear(w *walk, budget int64) {
	if n.ops == nil {
		ops := len(w.left)
		n.bits, n.need, n.ops = make([]uint64, ops), make([]int64, ops), make([]uint64, ops)
		n.values = make([]uint64, len(w.s.p.values))
		n.ready = newSet(ops)
	}
	clear(n.values)
	clear(n.ops)
	copy(n.ready, w.ready)
	n.start, n.budget = w.live, budget
}

// note tries each walk of the state and takes it back.
func (w *walk) note(budget int64) {
	if w.s.without.Forced {
		return
	}
	n := &w.notes
	n.clear(w, budget)
	next := 0
	for k := range w.ready {
		set{w.ready[k]}.each(func(i int32) {
			v, length := int32(k<<6)+i, len(w.trail)
			n.bit, n.first, n.need[v] = 1<<(next&63), v, math.MaxInt64/2
			n.bits[v] = n.bit
			if next++; w.forced(v, budget) {
				n.need[v] = 0 // always to be tried
			}
			w.cut(length)
		})
	}
	n.bit = 0
}

// settleOn settles as far as the trail, which began in the state noted, gives reason
// to try a walk again.
func (w *walk) settleOn(budget int64) {
	if w.s.without.Forced {
		return
	}
	n := &w.notes
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
				if !w.ready.has(v) || n.ready.has(v) && n.bits[v]&stale == 0 && w.live+n.need[v] > budget {
					return
				}
				if w.forced(v, budget) {
					again = true
				}
			})
		}
	}
}

// concerns returns the bits of the walks to which it matters that v has run.
func (w *walk) concerns(v int32) uint64 {
	bits := w.notes.ops[v]
	for _, x := range w.s.p.touch[v] {
		bits |= w.notes.values[x]
	}
	for _, u := range w.s.wake[v] {
		bits |= w.notes.ops[u]
	}
	return bits
}
