package coloring

// drop marks the items in the cliques from..to that fit whatever happens to the others: an item of
// several cliques if one class always has an object left for it, an item of one clique if its classes
// together have. Each dropped item leaves more room for the rest, so it repeats until nothing changes.
func (f *fitter) drop(from, to int) {
	if f.without.drops {
		return
	}
	if !f.countFree(from, to) {
		return
	}
	for again := true; again && !f.meter.interrupted; {
		again = false
		for t := from; t <= to && !f.meter.interrupted; t++ {
			for _, i := range f.in.starts[t] {
				if f.undecided(i) {
					if c := f.spareClass(i, from); c >= 0 {
						f.dropTo(i, c, from)
						again = true
					}
				}
			}
		}
		if f.dropSingles(from, to) {
			again = true
		}
	}
}

// countFree counts for each clique the objects of each class that no item may use. It reports false if
// ctx ended first.
func (f *fitter) countFree(from, to int) bool {
	for len(f.free) < to-from+1 {
		f.free = append(f.free, nil)
	}
	for t := from; t <= to; t++ {
		free := f.free[t-from][:0]
		for c := range f.class {
			free = append(free, int32(f.objects(c, c)))
		}
		for _, i := range f.in.cliques[t] {
			if !f.meter.spend(f.hi[i] - f.lo[i] + 1) {
				return false
			}
			if !f.dropped[i] {
				for c := f.lo[i]; c <= f.hi[i]; c++ {
					free[c]--
				}
			}
		}
		f.free[t-from] = free
	}
	return true
}

// spareClass returns the smallest class that always has an object left for item i
// itself, or -1.
func (f *fitter) spareClass(i, from int) int {
	it := f.in.items[i]
	for c := f.hi[i]; c >= f.lo[i]; c-- {
		spare := true
		for t := it.from; t <= it.to && spare; t++ {
			spare = f.free[t-from][c] >= 0 // i is counted in
		}
		if !f.meter.spend(it.to - it.from + 1) {
			return -1
		}
		if spare {
			return c
		}
	}
	return -1
}

func (f *fitter) dropTo(i, c, from int) {
	f.trail = append(f.trail, change{item: i, lo: f.lo[i], hi: f.hi[i], dropped: false})
	it := f.in.items[i]
	for t := it.from; t <= it.to; t++ {
		for k := f.lo[i]; k <= f.hi[i]; k++ {
			f.free[t-from][k]++
		}
	}
	f.meter.spend((it.to - it.from + 1) * (f.hi[i] - f.lo[i] + 1))
	f.lo[i], f.hi[i], f.dropped[i] = c, c, true
}

// dropSingles drops items of one clique if fewer others may use their classes than these have objects.
func (f *fitter) dropSingles(from, to int) bool {
	any := false
	for t := from; t <= to; t++ {
		for _, i := range f.in.cliques[t] {
			it := f.in.items[i]
			if it.from != it.to || f.dropped[i] {
				continue
			}
			if !f.meter.spend(len(f.in.cliques[t])) {
				return any
			}
			rivals := 0
			for _, j := range f.in.cliques[t] {
				if j != i && !f.dropped[j] && f.lo[j] <= f.hi[i] && f.lo[i] <= f.hi[j] {
					rivals++
				}
			}
			if rivals < f.objects(f.lo[i], f.hi[i]) {
				f.trail = append(f.trail, change{item: i, lo: f.lo[i], hi: f.hi[i], dropped: false})
				for k := f.lo[i]; k <= f.hi[i]; k++ {
					f.free[t-from][k]++
				}
				f.dropped[i] = true
				any = true
			}
		}
	}
	return any
}
