package order

// An entry is an open state with its key at insertion time.
type entry struct {
	key   int64
	ran   int32
	state int32
}

func (a entry) before(b entry) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if a.ran != b.ran {
		return a.ran > b.ran
	}
	return a.state < b.state
}

// openHeap is a binary heap, the best entry on top.
type openHeap []entry

func (h *openHeap) push(e entry) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 && e.before(s[(i-1)/2]) {
		s[i] = s[(i-1)/2]
		i = (i - 1) / 2
	}
	s[i] = e
}

// pop removes the best entry of a non-empty heap.
func (h *openHeap) pop() entry {
	s := *h
	top, e := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for len(s) > 0 {
		c := 2*i + 1
		if c+1 < len(s) && s[c+1].before(s[c]) {
			c++
		}
		if c >= len(s) || !s[c].before(e) {
			s[i] = e
			break
		}
		s[i] = s[c]
		i = c
	}
	return top
}
