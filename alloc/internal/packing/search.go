package packing

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/integer"
)

// Without switches parts of the search off. Each part only saves work: the answer is always the same.
type Without struct {
	// Memory: failed states are remembered.
	Memory bool
	// Jumps: placements that did not cause a failure are jumped over.
	Jumps bool
	// Dominance: an item above its lowest offset has another item in the way there.
	Dominance bool
	// Parts: items that no section connects any more are placed independently.
	Parts bool
	// Twins: identical items share inferences.
	Twins bool
	// Sections: in each section, the waiting items must fit above their lowest offset.
	Sections bool
}

// Limits bound a search.
type Limits struct {
	// Nodes is the largest number of nodes; zero means no limit.
	Nodes int64
	// Memory is the approximate size of remembered states in bytes; zero means 256 MiB.
	Memory int64
}

// A Search searches for packings of one problem. It may be reused, by one goroutine at a time.
type Search struct {
	*Problem
	without Without
	ctx     context.Context

	capacity int64
	rank     []int32
	// Nodes counts the nodes of all runs.
	Nodes   int64
	stopAt  int64
	stopped bool
	// work is the work of nodes since ctx was last polled.
	work int64

	placed []bool
	// offset is the offset of placed items, low the lowest open offset of waiting ones.
	offset, low []int64
	// waiting is the size of the waiting items in each section.
	waiting []int64
	// skipped is an offset at which an item is known not to lie, or -1, and because the placements that
	// cause this.
	skipped []int64
	because []set

	bounds bounds
	proof  explainer
	memory memory
	undo   []change
	lists  []int32
}

// A change is a previous low, or a previous skipped offset with its reason.
type change struct {
	item    int32
	old     int64
	because set
}

const nowhere = int64(-1)

// Work between polls of ctx, some milliseconds, and the work of a node besides the sections of all
// items.
const (
	workPerPoll = 1 << 21
	nodeWork    = workPerPoll / 256
)

// NewSearch returns a search over p.
func NewSearch(p *Problem, without Without) *Search {
	n := len(p.items)
	s := &Search{Problem: p, without: without}
	s.placed = make([]bool, n)
	s.offset, s.low, s.skipped = make([]int64, n), make([]int64, n), make([]int64, n)
	s.waiting = make([]int64, p.sections)
	s.because = make([]set, n)
	s.bounds = newBounds(p)
	s.proof = newExplainer(n)
	return s
}

// Run searches for offsets below capacity, trying items in the given order. The offsets, which are only
// valid with the answer Fits, are overwritten by the next run.
func (s *Search) Run(ctx context.Context, capacity int64, order Order, l Limits) (problem.Answer, []int64) {
	s.reset(ctx, capacity, order, l)
	if !s.start() {
		return problem.Misfit, nil
	}
	ok := s.parts(s.byFirst)
	s.memory = memory{} // a search may be kept for long
	switch {
	case ok:
		return problem.Fits, s.offset
	case s.stopped:
		return problem.Unknown, nil
	}
	return problem.Misfit, nil
}

func (s *Search) reset(ctx context.Context, capacity int64, order Order, l Limits) {
	s.ctx, s.capacity, s.rank = ctx, capacity, s.ranks(order)
	s.stopped, s.stopAt, s.work = false, math.MaxInt64, 0
	if l.Nodes > 0 {
		s.stopAt = s.Nodes + l.Nodes
	}
	s.memory = newMemory(l.Memory)
	s.undo, s.lists = s.undo[:0], s.lists[:0]
	clear(s.waiting)
	for i := range s.items {
		s.placed[i], s.low[i], s.skipped[i] = false, 0, nowhere
		s.proof.history[i] = s.proof.history[i][:0]
	}
}

// start places the pinned items, and reports whether all can fit so far.
func (s *Search) start() bool {
	for _, i := range s.pins {
		s.placed[i], s.offset[i] = true, s.items[i].Offset
		if s.offset[i]+s.items[i].Size > s.capacity {
			return false
		}
	}
	for _, i := range s.byFirst {
		s.eachSection(i, func(t int32) { s.waiting[t] += s.items[i].Size })
		s.clearPins(i)
		if s.low[i]+s.items[i].Size > s.capacity {
			return false
		}
	}
	return true
}

// stop reports whether the search must end.
func (s *Search) stop() bool {
	s.Nodes++
	if s.Nodes > s.stopAt {
		s.stopped = true
	}
	return s.spend(nodeWork + s.heldIn)
}

// spend counts work, and reports whether the search must end. The current computation is then invalid,
// and no caller uses it.
func (s *Search) spend(work int64) bool {
	if s.work += work; s.work >= workPerPoll {
		s.work = 0
		s.stopped = s.stopped || deadline.Err(s.ctx) != nil
	}
	return s.stopped
}

// parts places the items of a list, which are by first section. Parts that no section connects are
// placed one after the other, the smallest first: it fails soonest. If it fails without being stopped,
// the explainer has the reason.
func (s *Search) parts(list []int32) bool {
	var room [8][]int32
	parts := s.split(list, room[:0])
	if len(parts) > 1 {
		for _, part := range parts {
			if !s.check(part) {
				return false
			}
		}
	}
	for _, part := range parts {
		if !s.node(part) {
			return false
		}
	}
	return true
}

// split appends the parts of a list to parts, the smallest first.
func (s *Search) split(list []int32, parts [][]int32) [][]int32 {
	if len(list) == 0 {
		return parts
	}
	start, reach := 0, s.last[list[0]]
	add := func(end int) {
		parts = append(parts, list[start:end])
		for k := len(parts) - 1; k > 0 && len(parts[k]) < len(parts[k-1]); k-- {
			parts[k], parts[k-1] = parts[k-1], parts[k]
		}
		start = end
	}
	for k, i := range list {
		if s.first[i] > reach && !s.without.Parts {
			add(k)
		}
		reach = max(reach, s.last[i])
	}
	add(len(list))
	return parts
}

// node places the items of a part, or fails.
func (s *Search) node(part []int32) bool {
	if x := part[0]; len(part) == 1 && s.low[x]+s.items[x].Size <= s.capacity {
		s.offset[x] = s.low[x]
		return true
	}
	if !s.without.Memory && s.recall(part) {
		return false
	}
	skips := len(s.undo)
	before := s.Nodes
	lists := len(s.lists)
	entry := s.skippedOf(part)
	ok := s.branch(part)
	s.unskip(skips)
	if !ok && !s.stopped && !s.without.Memory && s.Nodes-before >= worthRemembering {
		s.remember(part, entry)
	}
	s.lists = s.lists[:lists]
	return ok
}

// worthRemembering is the minimum number of nodes of a remembered failure.
const worthRemembering = 4

// branch tries each item at its lowest offset, and skips that offset on failure.
func (s *Search) branch(part []int32) bool {
	for !s.stop() && s.check(part) {
		x := s.choose(part)
		if s.place(part, x) {
			return true
		}
		if s.stopped {
			return false
		}
		if s.without.Jumps {
			s.proof.everything(s)
		} else if !s.proof.conflict.has(x) {
			return false
		}
		s.proof.conflict.remove(x)
		s.skip(x)
		for _, twin := range s.twins[x] {
			if !s.without.Twins && !s.placed[twin] && s.low[twin] == s.low[x] {
				s.skip(twin)
			}
		}
	}
	return false
}

// skip records that an item does not lie at its lowest offset, because of the conflict.
func (s *Search) skip(i int32) {
	s.undo = append(s.undo, change{i, s.skipped[i], s.because[i]})
	s.skipped[i], s.because[i] = s.low[i], s.proof.copyConflict()
}

// unskip undoes the skips recorded since undo had a length.
func (s *Search) unskip(length int) {
	for k := len(s.undo) - 1; k >= length; k-- {
		c := s.undo[k]
		s.proof.spare = append(s.proof.spare, s.because[c.item])
		s.skipped[c.item], s.because[c.item] = c.old, c.because
	}
	s.undo = s.undo[:length]
}

// choose returns the item to branch on: of those that no waiting item can end below, the lowest, and
// the first in order of equal ones. There always is one: no bound of a skipped item is the lowest of
// all.
func (s *Search) choose(part []int32) int32 {
	tops := s.bounds.tops(s, part)
	best := int32(-1)
	for _, i := range part {
		o := s.low[i]
		if s.skipped[i] == o || best >= 0 && (o > s.low[best] || o == s.low[best] && s.rank[i] > s.rank[best]) {
			continue
		}
		if s.lowest(i, tops) {
			best = i
		}
	}
	return best
}

// lowest reports whether no waiting item can end at the lowest offset of i or below.
func (s *Search) lowest(i int32, tops []int64) bool {
	for _, span := range s.items[i].Spans {
		for t := span.First; t <= span.Last; t++ {
			if tops[t] <= s.low[i] {
				return false
			}
		}
	}
	return true
}

// place puts an item at its lowest offset and goes on with the rest of the part. On failure it restores
// everything but the explainer.
func (s *Search) place(part []int32, x int32) bool {
	changes := len(s.undo)
	ok := s.raise(x)
	if ok {
		for _, span := range s.items[x].Spans {
			for t := span.First; t <= span.Last; t++ {
				s.waiting[t] -= s.items[x].Size
			}
		}
		base := len(s.lists)
		for _, i := range part {
			if i != x {
				s.lists = append(s.lists, i)
			}
		}
		ok = s.parts(s.lists[base:len(s.lists):len(s.lists)])
		s.lists = s.lists[:base]
		for _, span := range s.items[x].Spans {
			for t := span.First; t <= span.Last; t++ {
				s.waiting[t] += s.items[x].Size
			}
		}
	}
	for k := len(s.undo) - 1; k >= changes; k-- {
		c := s.undo[k]
		s.low[c.item] = c.old
		s.proof.pop(c.item)
	}
	s.undo = s.undo[:changes]
	s.placed[x] = false
	return ok
}

// raise places x and raises the lowest offsets of all waiting items around it. It fails if one of them
// then is too high.
func (s *Search) raise(x int32) bool {
	s.offset[x] = s.low[x]
	top := s.offset[x] + s.items[x].Size
	base := len(s.undo)
	// The reasons are those before the change.
	for _, j := range s.neighbours[x] {
		if !s.placed[j] && j != x && s.low[j] < top {
			s.undo = append(s.undo, change{item: j, old: s.low[j]})
			s.proof.push(s, j, x)
		}
	}
	s.placed[x] = true
	tight := int32(-1)
	for _, c := range s.undo[base:len(s.undo):len(s.undo)] {
		s.lift(c.item, top)
		if tight < 0 && s.low[c.item]+s.items[c.item].Size > s.capacity {
			tight = c.item
		}
	}
	if tight >= 0 {
		s.proof.tooHigh(s, tight)
	}
	return tight < 0
}

// lift raises the lowest offset of j to a height, and further if pinned items are in the way.
func (s *Search) lift(j int32, height int64) {
	s.low[j] = integer.RoundUp(height, s.items[j].Align)
	s.proof.raised(j, s.low[j])
	s.clearPins(j)
}

// clearPins raises the lowest offset of j above the pinned items in its way.
func (s *Search) clearPins(j int32) {
	for k := 0; k < len(s.pins); k++ {
		p := s.pins[k]
		top := s.offset[p] + s.items[p].Size
		if s.low[j] >= top || s.low[j]+s.items[j].Size <= s.offset[p] || !s.adjacentTo(j, p) {
			continue
		}
		s.undo = append(s.undo, change{item: j, old: s.low[j]})
		s.proof.history[j] = append(s.proof.history[j], cause{by: p})
		s.low[j] = integer.RoundUp(top, s.items[j].Align)
		s.proof.raised(j, s.low[j])
		k = -1
	}
}

func (s *Search) adjacentTo(i, j int32) bool {
	_, found := slices.BinarySearch(s.neighbours[i], j)
	return found
}
