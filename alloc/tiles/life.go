package tiles

import "golang.org/x/exp/slices"

// A run is bytes [lo, hi) of a tensor that are in use at the same time, from first to last,
// in half steps, both inclusive. Step s has the half steps 2s and 2s+1.
type run struct {
	lo, hi      int64
	first, last int
}

// A use is what the steps do with some bytes of a tensor; -1 stands for no step.
type use struct{ firstWrite, lastWrite, lastRead int }

// life returns when bytes are in use.
func (u use) life(s Semantics) (first, last int) {
	if s == Atomic {
		return 2*u.firstWrite + 1, max(2*u.lastRead, 2*u.lastWrite+1)
	}
	return 2 * u.firstWrite, 2*max(u.lastRead, u.lastWrite) + 1
}

// runsOf returns when which bytes of a tensor are in use: two lists, each ascending without
// overlaps. The second one is the time of the tensor as a whole, for those bytes whose own
// time is another.
func runsOf(i int, t Tensor, s Semantics) (own, whole []run, err error) {
	cuts := make([]int64, 0, 2+2*len(t.Accesses))
	cuts = append(cuts, 0, t.Size)
	for _, a := range t.Accesses {
		if a.Lo != cuts[len(cuts)-1] { // else the access is behind the one before it
			cuts = append(cuts, a.Lo)
		}
		cuts = append(cuts, a.Hi)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	uses, err := usesOf(i, t, cuts)
	if err != nil {
		return nil, nil, err
	}
	for k, u := range uses {
		r := run{lo: cuts[k], hi: cuts[k+1], first: 0, last: -1}
		if u.firstWrite >= 0 {
			r.first, r.last = u.life(s)
		}
		if t.Whole != nil {
			w := run{lo: r.lo, hi: r.hi}
			w.first, w.last = use{t.Whole.First, t.Whole.First, t.Whole.Last}.life(s)
			if r.last >= 0 && w.first <= r.last+1 && r.first <= w.last+1 {
				r.first, r.last = min(r.first, w.first), max(r.last, w.last)
			} else {
				whole = extend(whole, w)
			}
		}
		if r.last >= 0 {
			own = extend(own, r)
		}
	}
	return own, whole, nil
}

// usesOf returns the use of the bytes between each two cuts. Steps read before they write.
func usesOf(i int, t Tensor, cuts []int64) ([]use, error) {
	firstWrite, lastWrite := touches(t, cuts, true, false), touches(t, cuts, true, true)
	firstRead, lastRead := touches(t, cuts, false, false), touches(t, cuts, false, true)
	step := func(access int) int {
		if access < 0 {
			return -1
		}
		return t.Accesses[access].Step
	}
	uses := make([]use, len(cuts)-1)
	bad, where := -1, 0
	for k := range uses {
		uses[k] = use{step(firstWrite[k]), step(lastWrite[k]), step(lastRead[k])}
		r := firstRead[k]
		if unwritten := firstWrite[k] < 0 || uses[k].firstWrite >= step(r); r >= 0 && unwritten && (bad < 0 || r < bad) {
			bad, where = r, k
		}
	}
	if bad >= 0 {
		return nil, wrong(i, bad, "step %d reads bytes [%d, %d), which no step before it writes", step(bad), cuts[where], cuts[where+1])
	}
	return uses, nil
}

// touches returns the first access, or the last, that writes or reads the bytes between each
// two cuts, -1 where there is none. The time it takes is all but linear: bytes that an access
// has touched are leapt over from then on.
func touches(t Tensor, cuts []int64, write, last bool) []int {
	by, next := make([]int, len(cuts)-1), make([]int, len(cuts))
	for k := range by {
		by[k] = -1
	}
	for k := range next {
		next[k] = k
	}
	free := func(k int) int { // the first place from k on that no access has touched
		for next[k] != k {
			next[k] = next[next[k]]
			k = next[k]
		}
		return k
	}
	for n := range t.Accesses {
		if last {
			n = len(t.Accesses) - 1 - n
		}
		a := t.Accesses[n]
		if a.Write != write {
			continue
		}
		at, _ := slices.BinarySearch(cuts, a.Lo)
		for at = free(at); cuts[at] < a.Hi; at = free(at) {
			by[at], next[at] = n, at+1
		}
	}
	return by
}

// extend appends a run, or makes the last one longer where both are in use at the same time.
func extend(list []run, r run) []run {
	if k := len(list) - 1; k >= 0 && list[k].hi == r.lo && list[k].first == r.first && list[k].last == r.last {
		list[k].hi = r.hi
		return list
	}
	return append(list, r)
}
