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
	cuts := []int64{0, t.Size}
	for _, a := range t.Accesses {
		cuts = append(cuts, a.Lo, a.Hi)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	uses := make([]use, len(cuts))
	for k := range uses {
		uses[k] = use{-1, -1, -1}
	}
	if err := follow(i, t, cuts, uses); err != nil {
		return nil, nil, err
	}
	for k, u := range uses[:len(uses)-1] {
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

// follow goes through the accesses, those of one step with its reads first.
func follow(i int, t Tensor, cuts []int64, uses []use) error {
	for from := 0; from < len(t.Accesses); {
		to := from
		for to < len(t.Accesses) && t.Accesses[to].Step == t.Accesses[from].Step {
			to++
		}
		for _, write := range []bool{false, true} {
			for k := from; k < to; k++ {
				a := t.Accesses[k]
				if a.Write != write {
					continue
				}
				at, _ := slices.BinarySearch(cuts, a.Lo)
				for ; cuts[at] < a.Hi; at++ {
					u := &uses[at]
					switch {
					case !write && u.firstWrite < 0:
						return wrong(i, k, "step %d reads bytes [%d, %d), which no step before it writes", a.Step, max(a.Lo, cuts[at]), cuts[at+1])
					case !write:
						u.lastRead = a.Step
					case u.firstWrite < 0:
						u.firstWrite, u.lastWrite = a.Step, a.Step
					default:
						u.lastWrite = a.Step
					}
				}
			}
		}
		from = to
	}
	return nil
}

// extend appends a run, or makes the last one longer where both are in use at the same time.
func extend(list []run, r run) []run {
	if k := len(list) - 1; k >= 0 && list[k].hi == r.lo && list[k].first == r.first && list[k].last == r.last {
		list[k].hi = r.hi
		return list
	}
	return append(list, r)
}
