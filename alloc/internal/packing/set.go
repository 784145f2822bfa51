package packing

// A set is a set of items.
type set []uint64

// newSets returns count sets that can hold items below n.
func newSets(n, count int) []set {
	words := (n + 63) / 64
	all := make(set, words*count)
	sets := make([]set, count)
	for k := range sets {
		sets[k] = all[k*words : (k+1)*words : (k+1)*words]
	}
	return sets
}

func (s set) add(i int32)      { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int32)   { s[i/64] &^= 1 << (i % 64) }
func (s set) has(i int32) bool { return s[i/64]>>(i%64)&1 == 1 }

func (s set) unite(other set) {
	for k := range s {
		s[k] |= other[k]
	}
}
