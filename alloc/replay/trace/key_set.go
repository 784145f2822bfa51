package trace

import "github.com/tflarena/tflarena/alloc/replay/internal/pickle"

// The fields of an event in a snapshot.
const (
	fieldAction = iota
	fieldAddress
	fieldSize
	fieldStream
	fieldTime
	fieldFrames
	fieldPool
	fields
)

var fieldNames = [fields]string{"action", "addr", "size", "stream", "time_us", "frames", "pool_id"}

// A keySet is the keys of a dict. Nearly all events refer to the same keys in the file, so each text is
// compared only once.
type keySet struct {
	keys    []pickle.Value
	isEvent bool
	at      [fields]int // indexes of the values among the pairs, or -1
}

// keySets are the key sets seen last.
type keySets struct {
	list [8]keySet
	next int
}

// of returns the key set of a dict, which is valid until the next call.
func (s *keySets) of(t *pickle.Tree, dict pickle.Value) *keySet {
	pairs := t.Pairs(dict)
	for i := range s.list {
		if s.list[i].matches(pairs) {
			return &s.list[i]
		}
	}
	made := newKeySet(t, pairs)
	if len(pairs) <= 64 {
		s.list[s.next] = made
		s.next = (s.next + 1) % len(s.list)
	}
	return &made
}

func (s *keySet) matches(pairs []pickle.Value) bool {
	if 2*len(s.keys) != len(pairs) || s.keys == nil {
		return false
	}
	for i, key := range s.keys {
		if pairs[2*i] != key {
			return false
		}
	}
	return true
}

func newKeySet(t *pickle.Tree, pairs []pickle.Value) keySet {
	s := keySet{keys: make([]pickle.Value, 0, len(pairs)/2)}
	for f := range s.at {
		s.at[f] = -1
	}
	for i := 0; i < len(pairs); i += 2 {
		s.keys = append(s.keys, pairs[i])
		for f, name := range fieldNames {
			if t.Is(pairs[i], name) {
				s.at[f] = i + 1
			}
		}
	}
	s.isEvent = s.at[fieldAction] >= 0
	return s
}
