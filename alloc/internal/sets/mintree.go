package sets

// A MinTree is a row of mutable values. It finds the smallest value of any run of places, and the first
// place from a given one whose value is at most a limit: a segment tree with the smallest value below
// each node. Both take O(log n).
type MinTree[V int | int64] struct {
	none   V
	leaves int
	nodes  []V // the children of node v are 2v and 2v+1; the leaves come last
}

// NewMinTree returns a tree of empty places. An empty place has the value none, which must not be
// smaller than any stored or requested value.
func NewMinTree[V int | int64](places int, none V) MinTree[V] {
	t := MinTree[V]{none: none, leaves: 1}
	for t.leaves < places {
		t.leaves *= 2
	}
	t.nodes = make([]V, 2*t.leaves)
	t.Fill(nil)
	return t
}

// Fill sets the values of all places, in order. Places beyond the last value become empty.
func (t *MinTree[V]) Fill(values []V) {
	n := copy(t.nodes[t.leaves:], values)
	for v := t.leaves + n; v < len(t.nodes); v++ {
		t.nodes[v] = t.none
	}
	for v := t.leaves - 1; v >= 1; v-- {
		t.nodes[v] = min(t.nodes[2*v], t.nodes[2*v+1])
	}
}

func (t *MinTree[V]) Set(place int, value V) {
	v := t.leaves + place
	t.nodes[v] = value
	for v /= 2; v >= 1; v /= 2 {
		t.nodes[v] = min(t.nodes[2*v], t.nodes[2*v+1])
	}
}

// Clear makes a place empty.
func (t *MinTree[V]) Clear(place int) { t.Set(place, t.none) }

// Least returns the smallest value of the places first to last, both inclusive.
func (t *MinTree[V]) Least(first, last int) V {
	least := t.none
	for lo, hi := first+t.leaves, last+t.leaves+1; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			least = min(least, t.nodes[lo])
			lo++
		}
		if hi%2 == 1 {
			hi--
			least = min(least, t.nodes[hi])
		}
	}
	return least
}

// Seek returns the first place from a given one that is not empty and whose value is at most limit, or
// -1.
func (t *MinTree[V]) Seek(from int, limit V) int {
	if from >= t.leaves {
		return -1
	}
	// Climb until the node to the right has a value within the limit, then descend to the first place
	// below it that has.
	v := t.leaves + from
	for !t.within(v, limit) {
		for v%2 == 1 {
			v /= 2
		}
		if v == 0 {
			return -1
		}
		v++
	}
	for v < t.leaves {
		v *= 2
		if !t.within(v, limit) {
			v++
		}
	}
	return v - t.leaves
}

// within reports whether a node has a value that is at most limit.
func (t *MinTree[V]) within(v int, limit V) bool { return t.nodes[v] <= limit && t.nodes[v] != t.none }
