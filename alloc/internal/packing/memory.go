package packing

// A memory holds failed states: the items of a part, their lowest offsets, and the skipped ones. It
// compares whole states, as a mere hash would prove nothing.
type memory struct {
	// first is, by hash, the last state stored, which links to the previous one.
	first  map[uint64]int32
	states []state
	items  []int32
	lows   []int64
	// remaining is the remaining bytes.
	remaining int64
}

// A state's items and lowest offsets begin at these indexes; the skipped items follow the items.
type state struct {
	previous               int32
	itemsAt, lowsAt        int32
	itemCount, skippedMany int32
}

// Bytes of memory: the default, and the overhead of a state.
const (
	defaultMemory = 256 << 20
	stateBytes    = 64
)

func newMemory(limit int64) memory {
	if limit == 0 {
		limit = defaultMemory
	}
	return memory{first: map[uint64]int32{}, remaining: min(limit, 8<<30)}
}

// hashOf is FNV-1a with a finer mix, over the items and their lowest offsets.
func (s *Search) hashOf(part []int32) uint64 {
	h := uint64(14695981039346656037)
	for _, i := range part {
		h = (h ^ uint64(i)) * 1099511628211
		h = (h ^ uint64(s.low[i])) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

// skippedOf returns the items of a part that are skipped at their lowest offset, as a slice of the
// stack of lists.
func (s *Search) skippedOf(part []int32) []int32 {
	base := len(s.lists)
	for _, i := range part {
		if s.skipped[i] == s.low[i] {
			s.lists = append(s.lists, i)
		}
	}
	return s.lists[base:len(s.lists):len(s.lists)]
}

// recall reports whether the part is in a state that failed before, or in one with more skipped. The
// explainer then has the reason.
func (s *Search) recall(part []int32) bool {
	m := &s.memory
	at, found := m.first[s.hashOf(part)]
	for ; found && at >= 0; at = m.states[at].previous {
		if s.matches(part, m.states[at]) {
			s.proof.state(s, part)
			return true
		}
	}
	return false
}

func (s *Search) matches(part []int32, st state) bool {
	if int(st.itemCount) != len(part) {
		return false
	}
	items := s.memory.items[st.itemsAt : st.itemsAt+st.itemCount+st.skippedMany]
	lows := s.memory.lows[st.lowsAt : st.lowsAt+st.itemCount]
	for k, i := range part {
		if items[k] != i || lows[k] != s.low[i] {
			return false
		}
	}
	for _, i := range items[st.itemCount:] {
		if s.skipped[i] != s.low[i] {
			return false
		}
	}
	return true
}

// remember stores the failed state of a part with these skipped items.
func (s *Search) remember(part, skipped []int32) {
	m := &s.memory
	m.remaining -= stateBytes + 12*int64(len(part)) + 4*int64(len(skipped))
	if m.remaining < 0 {
		return
	}
	h := s.hashOf(part)
	previous, found := m.first[h]
	if !found {
		previous = -1
	}
	m.first[h] = int32(len(m.states))
	m.states = append(m.states, state{previous: previous, itemsAt: int32(len(m.items)), lowsAt: int32(len(m.lows)), itemCount: int32(len(part)), skippedMany: int32(len(skipped))})
	m.items = append(append(m.items, part...), skipped...)
	for _, i := range part {
		m.lows = append(m.lows, s.low[i])
	}
}

// state explains the state of a part: all items placed around it, and the causes of its bounds.
func (e *explainer) state(s *Search, part []int32) {
	e.begin()
	for _, i := range part {
		if s.skipped[i] == s.low[i] {
			e.conflict.unite(s.because[i])
		}
		for _, j := range s.neighbours[i] {
			if s.placed[j] && !s.items[j].Pinned {
				e.conflict.add(j)
			}
		}
		for _, c := range e.history[i] {
			if c.also != nil {
				e.conflict.unite(c.also)
			}
		}
	}
}
