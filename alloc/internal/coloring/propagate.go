package coloring

// propagate narrows items until nothing changes or ctx ends. It reports false if it has proven that
// there is no room.
func (f *fitter) propagate() bool {
	for len(f.queue) > 0 && !f.meter.interrupted {
		t := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		f.dirty[t] = false
		if !f.orderTwins(t) || !f.hall(t) {
			f.weight[t]++
			return false
		}
	}
	return true
}

// orderTwins lets no item of clique t have a smaller object than a twin that is not larger than it: the
// two are interchangeable.
func (f *fitter) orderTwins(t int) bool {
	if f.without.twins {
		return true
	}
	for _, i := range f.in.cliques[t] {
		j := f.in.twin[i]
		if j < 0 || f.dropped[i] || f.dropped[j] {
			continue
		}
		if !f.set(j, f.lo[i], f.hi[j]) || !f.set(i, f.lo[i], f.hi[j]) {
			return false
		}
	}
	return true
}

// hall checks every interval of classes a..b in clique t. If more items are confined to it than it has
// objects, there is no room. If exactly as many are, the others must stay out of it.
func (f *fitter) hall(t int) bool {
	members := f.sortByLo(t)
	f.meter.spend(len(f.in.cliques[t]) + len(f.class))
	confined := f.confined
	for b := range confined {
		confined[b] = 0
	}
	for a := len(f.class) - 1; a >= 0; a-- {
		if f.head[a] < 0 {
			continue
		}
		for i := f.head[a]; i >= 0; i = f.next[i] {
			confined[f.hi[i]]++
		}
		full, ok := f.findFull(a)
		if !ok {
			return false
		}
		if full && !f.keepOut(members, a) {
			return false
		}
		if !f.meter.spend(len(f.class) - a + len(members)) {
			return true // not proven
		}
	}
	return true
}

// sortByLo sorts the items of a clique that count by their first class, and returns those with a
// choice.
func (f *fitter) sortByLo(t int) []int {
	for c := range f.head {
		f.head[c] = -1
	}
	members := f.members[:0]
	for _, i := range f.in.cliques[t] {
		if !f.dropped[i] {
			f.next[i] = f.head[f.lo[i]]
			f.head[f.lo[i]] = i
			if f.lo[i] < f.hi[i] {
				members = append(members, i)
			}
		}
	}
	f.members = members
	return members
}

// findFull records for each class b the last class c <= b for which a..c is full, or -1. It returns
// whether there is any, and false if one has too many items.
func (f *fitter) findFull(a int) (full, ok bool) {
	before := 0
	if a > 0 {
		before = f.objectsUpTo[a-1]
	}
	sum, last := 0, -1
	for b := a; b < len(f.class); b++ {
		sum += f.confined[b]
		objects := f.objectsUpTo[b] - before
		if sum > objects {
			return false, false
		}
		if sum == objects {
			last = b
		}
		f.full[b] = last
	}
	return last >= 0, true
}

// keepOut narrows the items that are not confined to a full interval a..b, as recorded by findFull.
func (f *fitter) keepOut(members []int, a int) bool {
	last := f.full[len(f.full)-1]
	for _, i := range members {
		lo, hi := f.lo[i], f.hi[i]
		switch {
		case lo < a:
			if a <= hi && hi <= last {
				hi = a - 1
			}
		case lo < hi:
			if b := f.full[hi-1]; b >= lo {
				lo = b + 1
			}
		}
		if (lo > f.lo[i] || hi < f.hi[i]) && !f.set(i, lo, hi) {
			return false
		}
	}
	return true
}
