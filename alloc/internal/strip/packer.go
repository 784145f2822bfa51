package strip

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// A packer packs records that are not pinned along a skyline, again and again: as
// Pack, but for any ranking of the records, and in arrays by position that
// are made once.
type packer struct {
	records problem.Records
	time    problem.Timeline
	skyline flatSkyline
	waiting rankTree
	// load is what is alive at each position, rest what of it is not placed yet, in
	// bytes. rest is kept only under a limit.
	load, rest []int64
	offsets    []int64
	work       int // about the positions looked at, in all runs
}

// packPlacement is what placing a record costs besides the positions it is alive at.
const packPlacement = 32

func newPacker(records problem.Records) *packer {
	time := problem.NewTimeline(records)
	return &packer{
		records: records, time: time,
		skyline: newFlatSkyline(time.Count), waiting: newRankTree(records, time),
		load: problem.Loads(records, time), rest: make([]int64, time.Count),
		offsets: make([]int64, len(records)),
	}
}

// unlimited is a limit that no total reaches.
const unlimited = int64(math.MaxInt64)

// pack places all records, the first in order first among those that fit the lowest
// line, and returns the total in bytes. It gives up, and returns unlimited, as soon
// as the total must exceed limit: where a line plus all that waits above it does. It
// also gives up under a limit when all runs together pass the work of a search, since
// long intervals make that quadratic.
func (k *packer) pack(ctx context.Context, order []int, limit int64) (int64, error) {
	k.skyline.reset()
	k.waiting.fill(order)
	copy(k.rest, k.load)
	pulse := problem.Pulse{Context: ctx}
	var total int64
	for left := len(order); left > 0; {
		if err := pulse.Err(); err != nil {
			return unlimited, err
		}
		l := k.skyline.lowest()
		i := k.waiting.best(l)
		if i < 0 {
			to := k.skyline.beside(l)
			if limit < unlimited && k.exceeds(l, to, limit) {
				return unlimited, nil
			}
			k.skyline.replace(l, line{l.first, l.last, to})
			continue
		}
		total = max(total, k.put(i, l))
		if total > limit || limit < unlimited && k.work > searchWork {
			return unlimited, nil
		}
		if limit < unlimited {
			k.settle(i)
		}
		left--
	}
	return total, nil
}

// put places record i on l and returns its end.
func (k *packer) put(i int, l line) int64 {
	r := &k.records[i]
	k.offsets[i] = problem.RoundUp(l.height, r.Alignment())
	end := k.offsets[i] + r.Size
	first, last := k.time.First[i], k.time.Last[i]
	k.skyline.replace(l,
		line{l.first, first - 1, l.height}, line{last + 1, l.last, l.height}, line{first, last, end})
	k.waiting.remove(i)
	k.work += packPlacement
	return end
}

// settle takes record i off what waits.
func (k *packer) settle(i int) {
	first, last := k.time.First[i], k.time.Last[i]
	for p := first; p <= last; p++ {
		k.rest[p] -= k.records[i].Size
	}
	k.work += last - first
}

// exceeds reports whether l lifted to a height forces the total above limit.
func (k *packer) exceeds(l line, height, limit int64) bool {
	k.work += l.last - l.first
	for _, rest := range k.rest[l.first : l.last+1] {
		if height+rest > limit {
			return true
		}
	}
	return false
}

// A flatSkyline is a skyline in arrays by position, which finds a line's neighbours
// at once. It can only replace a line that lowest returned.
type flatSkyline struct {
	height []int64 // by a line's first position
	last   []int   // by a line's first position; -1 where no line begins
	first  []int   // by a line's last position
	low    sets.Heap[line]
}

func newFlatSkyline(count int) flatSkyline {
	return flatSkyline{
		height: make([]int64, count), last: make([]int, count), first: make([]int, count),
		low: sets.Heap[line]{Less: lower},
	}
}

// lower orders lines by height, then from the left.
func lower(a, b line) bool { return a.height < b.height || a.height == b.height && a.first < b.first }

func (s *flatSkyline) reset() {
	for p := range s.last {
		s.last[p] = -1
	}
	s.low.Clear()
	s.add(line{0, len(s.last) - 1, 0})
}

// lowest returns the lowest line, the leftmost of equals, of which there must be one.
func (s *flatSkyline) lowest() line {
	for {
		if l := s.low.Top(); s.last[l.first] == l.last && s.height[l.first] == l.height {
			return l
		}
		s.low.Pop()
	}
}

// beside returns the height of l's lower neighbour.
func (s *flatSkyline) beside(l line) int64 {
	height := unlimited
	if l.first > 0 {
		height = s.height[s.first[l.first-1]]
	}
	if l.last+1 < len(s.last) {
		height = min(height, s.height[l.last+1])
	}
	return height
}

// replace puts lines in the place of old, which they must cover; one of no time is
// nothing.
func (s *flatSkyline) replace(old line, by ...line) {
	s.low.Pop()
	s.last[old.first] = -1
	for _, l := range by {
		if l.first <= l.last {
			s.add(l)
		}
	}
}

// add puts l into a hole and unites it with neighbours of its height.
func (s *flatSkyline) add(l line) {
	if next := l.last + 1; next < len(s.last) && s.last[next] >= 0 && s.height[next] == l.height {
		l.last = s.last[next]
		s.last[next] = -1
	}
	if l.first > 0 {
		prev := s.first[l.first-1]
		if s.last[prev] == l.first-1 && s.height[prev] == l.height {
			l.first = prev
		}
	}
	s.height[l.first], s.last[l.first], s.first[l.last] = l.height, l.last, l.first
	s.low.Push(l)
}

// A rankTree is a blockTree that can be filled again with another ranking.
type rankTree struct {
	order  []int // records by first position
	leafOf []int // by record
	born   []int // by position: how many records begin before it
	deaths []int // by record
	leaves int
	nodes  []blockNode
}

func newRankTree(records problem.Records, time problem.Timeline) rankTree {
	t := rankTree{
		order: problem.InOrder(records), leafOf: make([]int, len(records)), born: make([]int, time.Count+1),
		deaths: time.Last, leaves: 1,
	}
	for t.leaves < len(records) {
		t.leaves *= 2
	}
	for k, i := range t.order {
		t.leafOf[i] = t.leaves + k
		t.born[time.First[i]+1]++
	}
	for p := 1; p < len(t.born); p++ {
		t.born[p] += t.born[p-1]
	}
	t.nodes = make([]blockNode, 2*t.leaves)
	return t
}

// fill makes the records of order wait, the first with the best rank.
func (t *rankTree) fill(order []int) {
	for v := range t.nodes {
		t.nodes[v] = noBlock
	}
	for rank, i := range order {
		t.nodes[t.leafOf[i]] = blockNode{rank, t.deaths[i]}
	}
	for v := t.leaves - 1; v >= 1; v-- {
		t.sum(v)
	}
}

func (t *rankTree) sum(v int) {
	a, b := &t.nodes[2*v], &t.nodes[2*v+1]
	t.nodes[v] = blockNode{min(a.rank, b.rank), min(a.earliest, b.earliest)}
}

func (t *rankTree) remove(i int) {
	v := t.leafOf[i]
	t.nodes[v] = noBlock
	for v /= 2; v >= 1; v /= 2 {
		t.sum(v)
	}
}

// best returns the record of the best rank that lives within l, or -1.
func (t *rankTree) best(l line) int {
	s := rankSearch{t, t.born[l.first], t.born[l.last+1], l.last, math.MaxInt, -1}
	if s.from < s.to {
		s.visit(1, 0, t.leaves)
	}
	return s.found
}

// A rankSearch looks among the leaves [from, to) for records that die by last.
type rankSearch struct {
	*rankTree
	from, to, last int
	rank, found    int // the best so far
}

// visit searches below node v, whose leaves are [lo, hi), the better half first.
func (s *rankSearch) visit(v, lo, hi int) {
	node := &s.nodes[v]
	if hi <= s.from || lo >= s.to || node.rank >= s.rank || node.earliest > s.last {
		return
	}
	if v >= s.leaves {
		s.rank, s.found = node.rank, s.order[lo]
		return
	}
	middle := (lo + hi) / 2
	if s.nodes[2*v].rank <= s.nodes[2*v+1].rank {
		s.visit(2*v, lo, middle)
		s.visit(2*v+1, middle, hi)
	} else {
		s.visit(2*v+1, middle, hi)
		s.visit(2*v, lo, middle)
	}
}

// packAlong packs by one order: with a packer, or with a strip where there are pins.
func packAlong(ctx context.Context, records problem.Records, order []int) ([]int64, error) {
	pinned := slices.ContainsFunc(order, func(i int) bool { return records[i].Pinned })
	if pinned || len(records) == 0 {
		return packAroundPins(ctx, records, order)
	}
	k := newPacker(records)
	_, err := k.pack(ctx, order, unlimited)
	return k.offsets, err
}
