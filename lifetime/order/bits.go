package order

import "math/bits"

// A set holds small numbers as a bit set.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s set) drop(i int32)     { s[i>>6] &^= 1 << (i & 63) }
func (s set) has(i int32) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s set) addAll(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

// each calls f for the members, ascending.
func (s set) each(f func(i int32)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			f(int32(k<<6 + bits.TrailingZeros64(w)))
		}
	}
}

// A relation holds a set for each of n numbers.
type relation struct {
	words int
	all   set
}

func newRelation(n int) relation {
	words := (n + 63) / 64
	return relation{words, make(set, n*words)}
}

func (r relation) of(i int32) set { return r.all[int(i)*r.words : int(i+1)*r.words] }

// above returns all direct and indirect predecessors of each operator; operators are in valid
// order.
func above(preds [][]int32) relation {
	r := newRelation(len(preds))
	for v, list := range preds {
		s := r.of(int32(v))
		for _, u := range list {
			s.add(u)
			s.addAll(r.of(u))
		}
	}
	return r
}

// below returns all direct and indirect successors of each operator.
func below(succs [][]int32) relation {
	r := newRelation(len(succs))
	for v := len(succs) - 1; v >= 0; v-- {
		s := r.of(int32(v))
		for _, u := range succs[v] {
			s.add(u)
			s.addAll(r.of(u))
		}
	}
	return r
}

// count returns the number of members.
func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
