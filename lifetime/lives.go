package lifetime

import "golang.org/x/exp/slices"

// A Life is bytes [Lo, Hi) of a tensor that are in use at the same time, from First to Last,
// in half steps, both inclusive. Step s has the half steps 2s and 2s+1.
type Life struct {
	Lo, Hi      int64
	First, Last int
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

// Lives returns when which bytes of a tensor are in use: two lists, each ascending in bytes
// without overlaps. The second one is the time of the tensor as a whole, for those bytes whose
// own time is another. The accesses must lie within the tensor and be in order of their steps;
// the error is an [*AccessError] for bytes that are read before they are written.
func (t Tiled) Lives(s Semantics) (own, whole []Life, err error) {
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
	uses, err := t.uses(cuts)
	if err != nil {
		return nil, nil, err
	}
	for k, u := range uses {
		l := Life{Lo: cuts[k], Hi: cuts[k+1], First: 0, Last: -1}
		if u.firstWrite >= 0 {
			l.First, l.Last = u.life(s)
		}
		if t.Whole != nil {
			w := Life{Lo: l.Lo, Hi: l.Hi}
			w.First, w.Last = use{t.Whole.First, t.Whole.First, t.Whole.Last}.life(s)
			if l.Last >= 0 && w.First <= l.Last+1 && l.First <= w.Last+1 {
				l.First, l.Last = min(l.First, w.First), max(l.Last, w.Last)
			} else {
				whole = extend(whole, w)
			}
		}
		if l.Last >= 0 {
			own = extend(own, l)
		}
	}
	return own, whole, nil
}

// uses returns the use of the bytes between each two cuts. Steps read before they write.
func (t Tiled) uses(cuts []int64) ([]use, error) {
	firstWrite, lastWrite := t.touches(cuts, true, false), t.touches(cuts, true, true)
	firstRead, lastRead := t.touches(cuts, false, false), t.touches(cuts, false, true)
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
		return nil, accessError(bad, "step %d reads bytes [%d, %d), which no step before it writes", step(bad), cuts[where], cuts[where+1])
	}
	return uses, nil
}

// touches returns the first access, or the last, that writes or reads the bytes between each
// two cuts, -1 where there is none. The time it takes is all but linear: bytes that an access
// has touched are leapt over from then on.
func (t Tiled) touches(cuts []int64, write, last bool) []int {
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

// extend appends a life, or makes the last one longer where both are in use at the same time.
func extend(list []Life, l Life) []Life {
	if k := len(list) - 1; k >= 0 && list[k].Hi == l.Lo && list[k].First == l.First && list[k].Last == l.Last {
		list[k].Hi = l.Hi
		return list
	}
	return append(list, l)
}
