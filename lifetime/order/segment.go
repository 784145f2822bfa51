package order

import (
	"encoding/binary"
	"math/bits"

	"golang.org/x/exp/slices"
)

// A segment is a range [lo, hi) of the given order whose operators depend on all before it, and
// on which all after it depend. So every order has the same operators there, and the peak of
// the segment can be minimised on its own.
type segment struct{ lo, hi int }

// segments splits the operators at every possible cut: before operator i if all from i on
// depend on all before i.
func segments(preds [][]int32) []segment {
	n := len(preds)
	anc := above(preds)
	missing := make([]int, n) // the first operator that v does not depend on
	for v := range n {
		missing[v] = v
		for k, w := range anc.of(int32(v)) {
			if w != ^uint64(0) {
				missing[v] = min(v, k<<6+bits.TrailingZeros64(^w))
				break
			}
		}
	}
	var list []segment
	hi, least := n, n
	for v := n - 1; v >= 0; v-- {
		if least = min(least, missing[v]); least >= v {
			list = append(list, segment{v, hi})
			hi = v
		}
	}
	slices.Reverse(list)
	return list
}

// part returns the segment as a problem of its own; live is the number of bytes alive before
// it. Values that no operator inside touches are in its base.
func (p *problem) part(s segment, live int64) *problem {
	n := s.hi - s.lo
	q := &problem{
		preds: make([][]int32, n), succs: make([][]int32, n),
		extra: slices.Clone(p.extra[s.lo:s.hi]), base: live,
	}
	if p.most != nil {
		q.most = p.most[s.lo:s.hi]
	}
	if s.lo == 0 {
		q.first = p.first
	}
	if s.hi == len(p.preds) {
		q.last = p.last
	}
	seen := map[int32]bool{}
	for v := range n {
		for _, u := range p.preds[s.lo+v] {
			if int(u) >= s.lo {
				q.preds[v] = append(q.preds[v], u-int32(s.lo))
			}
		}
		for _, x := range p.touch[s.lo+v] {
			if !seen[x] {
				seen[x] = true
				q.addValue(&p.values[x], s)
			}
		}
	}
	q.succs = successors(q.preds)
	return q
}

// addValue adds a value of the whole problem that an operator of the segment touches.
func (p *problem) addValue(x *value, s segment) {
	first, last := int(x.ops[0]), int(x.ops[len(x.ops)-1])
	v := value{size: x.size, entry: x.entry || first < s.lo, kept: x.kept || last >= s.hi}
	if v.entry && v.kept {
		return // already in the base
	}
	if v.entry {
		p.base -= x.size
	}
	for _, op := range x.ops {
		if int(op) >= s.lo && int(op) < s.hi {
			v.ops = append(v.ops, op-int32(s.lo))
		}
	}
	v.shares = make(map[int32]int64, len(x.shares))
	for op, bytes := range x.shares {
		v.shares[op-int32(s.lo)] = bytes
	}
	p.values = append(p.values, v)
}

// simplify reduces each value to the operators that can begin or end it, turns values that only
// one operator touches into its extra bytes, and joins values with the same live range.
func (p *problem) simplify(anc relation) {
	var list []value
	index := map[string]int{}
	for _, v := range p.values {
		v.ops = v.ends(anc)
		if len(v.ops) == 1 && !v.entry && !v.kept {
			p.extra[v.ops[0]] += v.size
			continue
		}
		key := v.key()
		if i, ok := index[key]; ok {
			list[i].size += v.size
			for op, bytes := range v.shares {
				list[i].shares[op] += bytes
			}
			continue
		}
		index[key] = len(list)
		list = append(list, v)
	}
	p.values = list
	p.index()
}

// ends returns the operators of v that may be the first or the last to run, as far as first or
// last matters.
func (v *value) ends(anc relation) []int32 {
	if len(v.ops) > 256 {
		return v.ops // too many for quadratic work
	}
	var list []int32
	for _, a := range v.ops {
		first, last := !v.entry, !v.kept
		for _, b := range v.ops {
			first = first && !anc.of(a).has(b)
			last = last && !anc.of(b).has(a)
		}
		if first || last {
			list = append(list, a)
		}
	}
	return list
}

func (v *value) key() string {
	key := []byte{0}
	switch {
	case v.entry:
		key[0] = 1
	case v.kept:
		key[0] = 2
	}
	for _, op := range v.ops {
		key = binary.AppendUvarint(key, uint64(op))
	}
	return string(key)
}

// reversed returns the same problem with time reversed: the bytes alive at each moment, and
// while each operator runs, are the same.
func (p *problem) reversed() *problem {
	q := *p
	q.preds, q.succs = p.succs, p.preds
	q.first, q.last = p.last, p.first
	q.backward = !p.backward
	q.values = slices.Clone(p.values)
	for i := range q.values {
		q.values[i].entry, q.values[i].kept = q.values[i].kept, q.values[i].entry
	}
	return &q
}
