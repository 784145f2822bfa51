package packing

// An explainer finds the placements that cause a failure. An explanation holds for any normal packing
// with those placements, so that other placements need not be retried because of this failure.
type explainer struct {
	// conflict are the placed items that caused the last failure.
	conflict set
	// history has the causes of each item's lowest offset, rising.
	history [][]cause
	spare   []set
	// seen are the bounds explained since the last begin, stamped with its number.
	seen  []int64
	stamp []int
	mark  int
}

// A cause raised the lowest offset of a waiting item to low: by was placed there, and the item cannot
// end below it, either because of its previous lowest offset, or because of also.
type cause struct {
	low  int64
	by   int32
	also set
}

func newExplainer(n int) explainer {
	return explainer{conflict: newSets(n, 1)[0], history: make([][]cause, n), seen: make([]int64, n), stamp: make([]int, n)}
}

// begin starts a new explanation.
func (e *explainer) begin() {
	clear(e.conflict)
	e.mark++
}

// push records that item x, which is about to be placed, will raise j.
func (e *explainer) push(s *Search, j, x int32) {
	c := cause{by: x}
	if s.low[j]+s.items[j].Size <= s.low[x] {
		// Only a skip keeps j from lying below x.
		e.begin()
		e.bound(s, j, s.low[x]-s.items[j].Size+1, int32(len(s.bounds.log)))
		c.also = e.copyConflict()
	}
	e.history[j] = append(e.history[j], c)
}

// raised records the new lowest offset of j for the last cause.
func (e *explainer) raised(j int32, low int64) {
	h := e.history[j]
	h[len(h)-1].low = low
}

func (e *explainer) pop(j int32) {
	h := e.history[j]
	if also := h[len(h)-1].also; also != nil {
		e.spare = append(e.spare, also)
	}
	e.history[j] = h[:len(h)-1]
}

func (e *explainer) copyConflict() set {
	if len(e.spare) == 0 {
		e.spare = newSets(64*len(e.conflict), 16)
	}
	c := e.spare[len(e.spare)-1]
	e.spare = e.spare[:len(e.spare)-1]
	copy(c, e.conflict)
	return c
}

// everything makes all placed items the reason.
func (e *explainer) everything(s *Search) {
	e.begin()
	for i, placed := range s.placed {
		if placed && !s.items[i].Pinned {
			e.conflict.add(int32(i))
		}
	}
}

// tooHigh explains why an item cannot end within the capacity.
func (e *explainer) tooHigh(s *Search, i int32) {
	e.begin()
	e.bound(s, i, s.capacity-s.items[i].Size+1, int32(len(s.bounds.log)))
}

// sectionFull explains why the waiting items of a part in section t do not fit above its floor.
func (e *explainer) sectionFull(s *Search, part []int32, t int32) {
	e.begin()
	height := s.bounds.floor[t]
	if len(s.pinsAt[t]) == 0 {
		height = s.capacity - s.waiting[t] + 1
	}
	for _, i := range part {
		if s.held(i, t) {
			e.bound(s, i, height, int32(len(s.bounds.log)))
		}
	}
}

// bound explains why the offset of item j is at least v, from the log of bounds before an entry.
func (e *explainer) bound(s *Search, j int32, v int64, before int32) {
	if e.stamp[j] == e.mark && e.seen[j] >= v || s.spend(int64(len(s.neighbours[j]))) {
		return
	}
	e.stamp[j], e.seen[j] = e.mark, v
	if v <= s.low[j] {
		e.lowest(s, j, v)
		return
	}
	at := s.bounds.earliest(j, v, before)
	o := s.low[j]
	e.lowest(s, j, o)
	e.conflict.unite(s.because[j])
	for _, k := range s.neighbours[j] {
		switch {
		case k == j:
		case s.placed[k]:
			if !s.items[k].Pinned {
				e.conflict.add(k)
			}
		default:
			e.under(s, j, k, v, at)
		}
	}
}

// under explains why j, skipped at its lowest offset, cannot lie on k below v: either k ends too high
// for that, or it starts too high to be in the way there.
func (e *explainer) under(s *Search, j, k int32, v int64, at int32) {
	end := s.low[j] + s.items[j].Size
	// The lowest offset of k at which its end, rounded up, is at least v.
	enough := (v-1)/s.items[j].Align*s.items[j].Align + 1 - s.items[k].Size
	low := s.bounds.at(s, k, at)
	if low < enough || !s.without.Dominance && low >= end && end < enough {
		enough = end
	}
	e.bound(s, k, enough, at)
}

// lowest explains by placed items why the offset of j is at least v.
func (e *explainer) lowest(s *Search, j int32, v int64) {
	for v > 0 {
		c := e.history[j][0]
		for k := 1; c.low < v; k++ {
			c = e.history[j][k]
		}
		if !s.items[c.by].Pinned {
			e.conflict.add(c.by)
		}
		if c.also != nil {
			e.conflict.unite(c.also)
			return
		}
		v = s.offset[c.by] - s.items[j].Size + 1
	}
}

// earliest returns the first entry before another that puts j at v or above.
func (b *bounds) earliest(j int32, v int64, before int32) int32 {
	at := b.head[j]
	for at >= before {
		at = b.log[at].previous
	}
	for b.log[at].previous >= 0 && b.log[b.log[at].previous].low >= v {
		at = b.log[at].previous
	}
	return at
}

// at returns the bound of k before an entry.
func (b *bounds) at(s *Search, k, before int32) int64 {
	at := b.head[k]
	for at >= before {
		at = b.log[at].previous
	}
	if at < 0 {
		return s.low[k]
	}
	return b.log[at].low
}
