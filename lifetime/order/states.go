package order

import "golang.org/x/exp/slices"

// states is a table of sets of operators that have run. States are numbered in the order in
// which they were found.
type states struct {
	words  int
	sets   set     // the words of state i are sets[i*words:(i+1)*words]
	key    []int64 // the lowest known peak on a path to the state, in bytes
	from   []int64 // the parent's key at that time
	parent []int32
	via    []int32 // the operator moved from the parent
	live   []int64
	ran    []int32
	slots  []int32 // open addressing; number+1, zero is free
}

func newStates(n int) *states {
	return &states{words: (n + 63) / 64, slots: make([]int32, 1024)}
}

func (t *states) set(i int32) set { return t.sets[int(i)*t.words : int(i+1)*t.words] }

// hash mixes the words of a set (the finaliser of SplitMix64).
func hash(s set) uint64 {
	h := uint64(len(s))
	for _, w := range s {
		h = (h ^ w) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// find returns the number of the state with the given set, or -1 and its slot.
func (t *states) find(s set) (number int32, slot int) {
	mask := len(t.slots) - 1
	for slot = int(hash(s) & uint64(mask)); ; slot = (slot + 1) & mask {
		i := t.slots[slot] - 1
		if i < 0 {
			return -1, slot
		}
		if slices.Equal(t.set(i), s) {
			return i, slot
		}
	}
}

// reach records that a walk reaches its set with a peak of key, from a parent with a peak of
// from, via v. It returns the number of the state and whether the key is lower than any before.
func (t *states) reach(w *walk, key, from int64, parent, v int32) (number int32, better bool) {
	i, slot := t.find(w.done)
	if i >= 0 {
		if key >= t.key[i] {
			return i, false
		}
		t.key[i], t.from[i], t.parent[i], t.via[i] = key, from, parent, v
		return i, true
	}
	i = int32(len(t.key))
	t.sets = append(t.sets, w.done...)
	t.key = append(t.key, key)
	t.from = append(t.from, from)
	t.parent = append(t.parent, parent)
	t.via = append(t.via, v)
	t.live = append(t.live, w.live)
	t.ran = append(t.ran, int32(w.ran))
	t.slots[slot] = i + 1
	if 2*len(t.key) > len(t.slots) {
		t.grow()
	}
	return i, true
}

func (t *states) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	for i := range t.key {
		_, slot := t.find(t.set(int32(i)))
		t.slots[slot] = int32(i) + 1
	}
}

// stateBytes returns the approximate memory of a state of n operators, in bytes.
func stateBytes(n int) int64 { return int64(n/8 + 90) }

// path returns the operators in the order in which they ran to reach state i.
func (t *states) path(w *walk, i int32) []int32 {
	var chain []int32
	for ; i >= 0; i = t.parent[i] {
		chain = append(chain, i)
	}
	slices.Reverse(chain)
	var order []int32
	for _, i := range chain {
		if t.parent[i] >= 0 {
			w.switchTo(t.set(t.parent[i]))
			w.recordRejections(t.from[i])
			w.move(t.via[i])
			w.settleOn(t.key[i])
		} else {
			w.switchTo(make(set, t.words))
			w.settle(t.key[i])
		}
		order = append(order, w.trail...)
	}
	return order
}
