package distances

import (
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// maxPairs is the largest number of pairs of a search, and maxRanges the largest number of their
// forbidden ranges. It stores them all.
const (
	maxPairs  = 1 << 20
	maxRanges = 1 << 23
)

// A pairGraph is the stored forbidden differences of a problem.
type pairGraph struct {
	records problem.Records
	arcs    [][]arc
	// load is the bytes of all records that are alive at the first position of each and joined to it.
	load []int64
	// width is the total number of ranges.
	width int64
}

// An arc is the forbidden differences of one record's offset from the offset of the arc's owner,
// ascending.
type arc struct {
	to        int
	forbidden []lifetime.Range
	// blocks is the largest number of the owner's offsets that the other record excludes.
	blocks int64
	// wide is the widest of the ranges.
	wide lifetime.Range
}

// appendForbidden appends the offsets, zero and above, that the owner may not have when the other
// record is at an offset.
func (a *arc) appendForbidden(dst []lifetime.Range, at int64) []lifetime.Range {
	for k := len(a.forbidden) - 1; k >= 0; k-- {
		if f := a.forbidden[k]; at-f.Lo >= 0 {
			dst = append(dst, lifetime.Range{Lo: at - f.Hi, Hi: at - f.Lo})
		}
	}
	return dst
}

// newPairGraph evaluates all pairs. It returns nil if there are too many pairs or ranges.
func newPairGraph(p *Problem) *pairGraph {
	pairs := 0
	for _, n := range problem.Conflicts(p.Records) {
		if pairs += n; pairs > 2*maxPairs {
			return nil
		}
	}
	n := &pairGraph{records: p.Records, arcs: make([][]arc, len(p.Records))}
	met := newIntervalTree(p.Records)
	var peers []int
	ranges := 0
	for i := range p.Records {
		peers = met.overlapping(peers[:0], i)
		met.add(i)
		for _, j := range peers {
			f := slices.Clone(p.forbid(j, i))
			if ranges += len(f); ranges > maxRanges {
				return nil
			}
			if len(f) > 0 {
				n.arcs[j] = append(n.arcs[j], arc{to: i, forbidden: f})
				n.arcs[i] = append(n.arcs[i], arc{to: j, forbidden: mirror(f)})
			}
		}
	}
	for i, list := range n.arcs {
		sort.Slice(list, func(i, j int) bool { return list[i].to < list[j].to })
		for k := range list {
			list[k].blocks, list[k].wide = n.countBlocked(i, list[k]), widest(list[k].forbidden)
		}
	}
	n.load, n.width = n.loads(), int64(2*ranges)
	return n
}

// mirror returns the differences with the records of a pair exchanged.
func mirror(forbidden []lifetime.Range) []lifetime.Range {
	out := make([]lifetime.Range, len(forbidden))
	for k, r := range forbidden {
		out[len(out)-1-k] = lifetime.Range{Lo: -r.Hi, Hi: -r.Lo}
	}
	return out
}

func widest(ranges []lifetime.Range) lifetime.Range {
	w := ranges[0]
	for _, r := range ranges {
		if r.Hi-r.Lo > w.Hi-w.Lo {
			w = r
		}
	}
	return w
}

func (n *pairGraph) loads() []int64 {
	load := make([]int64, len(n.records))
	for i, r := range n.records {
		load[i] = r.Size
		for _, a := range n.arcs[i] {
			if s := n.records[a.to]; s.First <= r.First && r.First <= s.Last {
				load[i] += s.Size
			}
		}
	}
	return load
}

// between returns the forbidden differences of record b from record a.
func (n *pairGraph) between(a, b int) []lifetime.Range {
	k, found := slices.BinarySearchFunc(n.arcs[a], b, func(x arc, to int) int { return x.to - to })
	if !found {
		return nil
	}
	return n.arcs[a][k].forbidden
}

// blocksOf returns the largest number of record i's offsets that record j excludes.
func (n *pairGraph) blocksOf(i, j int) int64 {
	k, _ := slices.BinarySearchFunc(n.arcs[i], j, func(x arc, to int) int { return x.to - to })
	return n.arcs[i][k].blocks
}

// countBlocked computes blocks of an arc of record i.
func (n *pairGraph) countBlocked(i int, a arc) (count int64) {
	align := n.records[i].Alignment()
	same := n.records[a.to].Alignment()%align == 0
	for _, f := range a.forbidden {
		if same { // then only multiples of it matter
			count += max(0, floorTo(f.Hi, align)/align-integer.RoundUp(f.Lo, align)/align+1)
		} else {
			count += (f.Hi-f.Lo)/align + 1
		}
	}
	return count
}

func floorTo(n, step int64) int64 { return -integer.RoundUp(-n, step) }
