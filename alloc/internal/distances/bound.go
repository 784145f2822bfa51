package distances

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
)

// Bound returns a lower bound of all plans. It evaluates all pairs, unless there are too many of them.
func (p *Problem) Bound() problem.Bound {
	best := problem.Bound{Kind: problem.LargestSize}
	for _, r := range p.Records {
		best.Bytes = max(best.Bytes, r.Size)
	}
	if end := problem.PinnedEnd(p.Records); end > best.Bytes {
		best = problem.Bound{Bytes: end, Kind: problem.LastPin}
	}
	if n := p.pairs(); n != nil {
		if most := n.cliqueBound(best.Bytes); most > best.Bytes {
			best = problem.Bound{Bytes: most, Reason: "the largest operator breadth, without what its tensors can share"}
		}
	}
	return best
}

// cliqueBound returns a lower bound in bytes of the memory of some records, or less if it does not exceed
// most. Intervals that overlap pairwise have a common position, the first position of the last of them:
// it looks there, the largest load first.
func (n *pairGraph) cliqueBound(most int64) int64 {
	shares := make([]share, len(n.records))
	for _, i := range problem.OrderBy(n.records, func(i, j int) int { return cmp.Compare(n.load[j], n.load[i]) }) {
		// Padding may exceed the load.
		if n.load[i]+int64(len(n.arcs[i]))*n.records[i].Alignment() <= most {
			continue
		}
		most = max(most, n.cliqueOf(i, shares, most))
	}
	return most
}

// A share is the bytes [lo, hi) of a record that members of a clique cannot share, and met the number of
// members it is apart from.
type share struct {
	lo, hi int64
	met    int
}

// cliqueOf returns a lower bound in bytes of the memory of a record and others that are alive at its
// first position: it adds up bytes that are pairwise distinct, however the records lie. The largest
// record first, it takes from each the bytes that it cannot share with those before it. It gives up if
// that cannot exceed most.
func (n *pairGraph) cliqueOf(first int, shares []share, most int64) int64 {
	var near []int
	for _, a := range n.arcs[first] {
		if s := n.records[a.to]; s.First <= n.records[first].First && n.records[first].First <= s.Last {
			near = append(near, a.to)
			shares[a.to] = share{hi: s.Size}
		}
	}
	slices.SortStableFunc(near, func(i, j int) int { return cmp.Compare(n.records[j].Size, n.records[i].Size) })
	c := clique{n: n}
	c.add(first, 0, n.records[first].Size)
	n.narrow(shares, c.members[0])
	sum := n.records[first].Size + int64(len(near)+1)*n.records[first].Alignment() // and padding
	for _, i := range near {
		sum += max(0, shares[i].hi-shares[i].lo)
	}
	if sum <= most {
		return 0
	}
	for _, i := range near {
		if s := shares[i]; s.met == len(c.members) && s.lo < s.hi {
			c.add(i, s.lo, s.hi)
			n.narrow(shares, c.members[len(c.members)-1])
		}
	}
	return c.bytes()
}

// narrow removes from the others the bytes that they could share with a part of a record. Two parts
// share a byte at the differences from lo - their hi to hi - their lo, both exclusive.
func (n *pairGraph) narrow(shares []share, m part) {
	for _, a := range n.arcs[m.record] {
		f := a.wide
		s := &shares[a.to]
		s.met++
		s.hi = min(s.hi, m.lo+1-f.Lo)
		s.lo = max(s.lo, m.hi-1-f.Hi)
	}
}

// A clique is a set of parts of records that cannot share bytes pairwise.
type clique struct {
	n       *pairGraph
	members []part
}

// A part is bytes [lo, hi) of a record.
type part struct {
	record int
	lo, hi int64
}

func (c *clique) add(record int, lo, hi int64) {
	c.members = append(c.members, part{record, lo, hi})
}

// bytes returns the memory of a clique. If all alignments have a common divisor, each part but the
// topmost is followed by padding to the next multiple of it; any part may be topmost, so the largest
// padding is subtracted. A part that does not begin with its record counts from its first multiple.
func (c *clique) bytes() int64 {
	var align, plain, padded, pad int64
	for _, m := range c.members {
		align = integer.GCD(align, c.n.records[m.record].Alignment())
	}
	for _, m := range c.members {
		plain += m.hi - m.lo
		if lo, hi := integer.RoundUp(m.lo, align), integer.RoundUp(m.hi, align); lo < hi {
			padded += hi - lo
			pad = max(pad, hi-m.hi)
		}
	}
	return max(plain, padded-pad)
}
