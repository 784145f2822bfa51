package lifetime

import "golang.org/x/exp/slices"

// A Life is a live range of bytes [Lo, Hi) of a tensor, from First to Last, in half steps, both
// inclusive. Step s has the half steps 2s and 2s+1.
type Life struct {
	Lo, Hi      int64
	First, Last int
}

// A byteUse holds the steps that access some bytes of a tensor; -1 means no step.
type byteUse struct{ firstWrite, lastWrite, lastRead int }

// life returns the live range of the bytes, in half steps.
func (u byteUse) life(s Semantics) (first, last int) {
	if s == Atomic {
		return 2*u.firstWrite + 1, max(2*u.lastRead, 2*u.lastWrite+1)
	}
	return 2 * u.firstWrite, 2*max(u.lastRead, u.lastWrite) + 1
}

// Lives returns the live ranges of the bytes of a tensor: two lists, each ascending in bytes
// without overlaps. The second one holds the live range Whole, for bytes whose own live range
// does not touch it. The accesses must be within the tensor and in order of their steps; the
// error is an [*AccessError] for bytes that are read before they are written.
func (t Tiled) Lives(s Semantics) (own, whole []Life, err error) {
	cuts := make([]int64, 0, 2+2*len(t.Accesses))
	cuts = append(cuts, 0, t.Size)
	for _, a := range t.Accesses {
		if a.Lo != cuts[len(cuts)-1] { // else the access is after the one before it
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
			w.First, w.Last = byteUse{t.Whole.First, t.Whole.First, t.Whole.Last}.life(s)
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

// uses returns the use of the bytes between consecutive cuts. Steps read before they write.
func (t Tiled) uses(cuts []int64) ([]byteUse, error) {
	firstWrite, lastWrite := t.touches(cuts, true, false), t.touches(cuts, true, true)
	firstRead, lastRead := t.touches(cuts, false, false), t.touches(cuts, false, true)
	step := func(access int) int {
		if access < 0 {
			return -1
		}
		return t.Accesses[access].Step
	}
	uses := make([]byteUse, len(cuts)-1)
	bad, where := -1, 0
	for k := range uses {
		uses[k] = byteUse{step(firstWrite[k]), step(lastWrite[k]), step(lastRead[k])}
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

// touches returns the first or last access that writes or reads the bytes between consecutive
// cuts, or -1. Its time is nearly linear: bytes already touched are skipped.
func (t Tiled) touches(cuts []int64, write, last bool) []int {
	by, next := make([]int, len(cuts)-1), make([]int, len(cuts))
	for k := range by {
		by[k] = -1
	}
	for k := range next {
		next[k] = k
	}
	free := func(k int) int { // the first range from k on that no access has touched
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

// extend appends a life, or extends the last one if both are live at the same time.
func extend(list []Life, l Life) []Life {
	if k := len(list) - 1; k >= 0 && list[k].Hi == l.Lo && list[k].First == l.First && list[k].Last == l.Last {
		list[k].Hi = l.Hi
		return list
	}
	return append(list, l)
}
