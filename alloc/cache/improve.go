package cache

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

const (
	// defaultWork is the limit of work unless the problem has another.
	defaultWork = 1 << 28
	// moveWork is the work of a move besides its accesses and records.
	moveWork = 64
	// maxMoved is the largest number of records that a move places anew.
	maxMoved = 4
	// coarse is the number of accesses in a run above which the search begins with longer lines.
	coarse = 1 << 16
	// longer is the factor by which they are longer.
	longer = 4
)

// A Result is a plan and its counts, beside those of the plan that it was made from.
type Result struct {
	// Offsets are in bytes; Total is their end.
	Offsets       []int64
	Total         int64
	Before, After Counts
	// Interrupted reports that the context ended before the search.
	Interrupted bool
}

// Improve searches for a plan with fewer misses and no larger total than the given one, which must be
// valid. It returns a plan that has passed the checker: the given one if there is none better.
//
// A move takes up to four records that are accessed one after the other, and places each anew: at either
// end of a free run of bytes, at the start or end of a record that is alive at another time, whose lines
// may still be in the cache, or anywhere in a free run. The search keeps each move that does not add misses. It ends by
// counted work, so that the plan does not depend on the machine.
//
// Where a run has many lines, the search begins with lines that are several times as long in a cache of
// the same size, which is quicker to simulate; a better plan counts only if it is better with the cache
// itself.
//
// It returns the errors of [Count].
func Improve(ctx context.Context, p Problem, offsets []int64) (*Result, error) {
	counter, err := newSimulation(p, offsets)
	if err != nil {
		return nil, err
	}
	floor := counter.fewest()
	if counter.Forbidden == nil {
		counter.Forbidden = lifetime.Forbidden(p.Records, nil, nil)
	}
	n := len(offsets)
	s := &search{
		simulation: counter, random: rand.New(rand.NewPCG(p.Seed, 1)), capacity: end(p.Records, offsets), floor: floor,
		offsets: slices.Clone(offsets), held: make([]bool, n),
	}
	for i := range s.held {
		s.held[i] = true
	}
	before := s.count(offsets)
	s.best = Result{Offsets: slices.Clone(offsets), Before: before, After: before}
	levels := s.levels(before.Accesses)
	for _, c := range levels {
		s.climb(ctx, c, cmp.Or(p.Work, defaultWork)/int64(len(levels)))
	}
	s.best.Total, s.best.Interrupted = end(p.Records, s.best.Offsets), deadline.Err(ctx) != nil
	if err := check.Distances(p.Records, s.best.Offsets, s.best.Total, s.Forbidden); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: a wrong plan for a cache: %w", err)
	}
	return &s.best, nil
}

// end returns the total of a plan in bytes.
func end(records []lifetime.Record, offsets []int64) (total int64) {
	for i, r := range records {
		if r.Size > 0 {
			total = max(total, offsets[i]+r.Size)
		}
	}
	return total
}

type search struct {
	*simulation
	random   *rand.Rand
	capacity int64
	floor    int64 // no plan has fewer misses
	best     Result
	// offsets are those of the current move; held is false while a record is placed anew.
	offsets []int64
	held    []bool
	moved   []int
}

// levels returns the caches to search with, in this order; the last is the exact one.
func (s *search) levels(accesses int64) []*lru {
	levels := []*lru{s.exact}
	for g := s.Geometry; accesses > coarse && g.Sets()%longer == 0; accesses /= longer {
		g.Line *= longer
		levels = append(levels, newLRU(g, s.memory))
	}
	slices.Reverse(levels)
	return levels
}

// climb makes moves from the best plan on, until the work is done, half of it without a gain, no plan has
// fewer misses, or ctx ends.
func (s *search) climb(ctx context.Context, c *lru, work int64) {
	current := slices.Clone(s.best.Offsets)
	_, least := s.run(c, current, math.MaxInt64)
	end, until := s.done+work, s.done+work/2
	for s.done < min(end, until) && s.best.After.Misses > s.floor && deadline.Err(ctx) == nil {
		copy(s.offsets, current)
		if !s.move() {
			continue
		}
		_, misses := s.run(c, s.offsets, least)
		if misses > least {
			continue
		}
		copy(current, s.offsets)
		if misses < least {
			least, until = misses, s.done+work/2
			s.adopt()
		}
	}
}

// adopt makes the current plan the best if it has fewer misses.
func (s *search) adopt() {
	if n := s.count(s.offsets); n.Misses < s.best.After.Misses {
		s.best.After = n
		copy(s.best.Offsets, s.offsets)
	}
}

// move places some records anew, and reports whether there was space for each.
func (s *search) move() bool {
	s.pick()
	for _, i := range s.moved {
		s.held[i] = false
	}
	fits := len(s.moved) > 0
	for _, i := range s.moved {
		if fits {
			s.offsets[i], fits = s.place(i)
		}
		s.held[i] = true
	}
	return fits
}

// pick chooses the records of a move, in random order.
func (s *search) pick() {
	s.moved = s.moved[:0]
	s.done += int64(len(s.offsets)) + moveWork
	if len(s.Walk) == 0 {
		return
	}
	number := 1 + s.random.IntN(maxMoved)
	for _, a := range s.Walk[s.random.IntN(len(s.Walk)):] {
		if s.done++; len(s.moved) == number {
			break
		}
		if a.Record >= 0 && !s.Records[a.Record].Pinned && !slices.Contains(s.moved, a.Record) {
			s.moved = append(s.moved, a.Record)
		}
	}
	s.random.Shuffle(len(s.moved), func(i, j int) { s.moved[i], s.moved[j] = s.moved[j], s.moved[i] })
}

// place chooses an offset for a record, and reports whether there is one.
func (s *search) place(i int) (int64, bool) {
	r := s.Records[i]
	taken := []lifetime.Range{{Lo: math.MinInt64 / 2, Hi: -1}, {Lo: s.capacity - r.Size + 1, Hi: math.MaxInt64 / 2}}
	var wishes []int64
	for j, o := range s.Records {
		switch {
		case j == i || !s.held[j] || o.Size == 0:
		case !o.Overlaps(r):
			wishes = append(wishes, s.offsets[j], s.offsets[j]+o.Size-r.Size)
		case j < i:
			for _, f := range s.Forbidden(j, i) {
				taken = append(taken, lifetime.Range{Lo: s.offsets[j] + f.Lo, Hi: s.offsets[j] + f.Hi})
			}
		default:
			for _, f := range s.Forbidden(i, j) {
				taken = append(taken, lifetime.Range{Lo: s.offsets[j] - f.Hi, Hi: s.offsets[j] - f.Lo})
			}
		}
	}
	s.done += int64(len(s.Records) + len(wishes) + len(taken))
	taken = lifetime.Union(taken)
	align := r.Alignment()
	choices := make([]int64, 0, len(wishes)+2*len(taken))
	for k := 1; k < len(taken); k++ {
		lo, hi := integer.RoundUp(taken[k-1].Hi+1, align), (taken[k].Lo-1)/align*align
		if lo < taken[k].Lo {
			choices = append(choices, lo, hi, lo+align*s.random.Int64N((hi-lo)/align+1))
		}
	}
	for _, w := range wishes {
		k := sort.Search(len(taken), func(k int) bool { return taken[k].Hi >= w })
		if w%align == 0 && w < taken[k].Lo {
			choices = append(choices, w)
		}
	}
	if len(choices) == 0 {
		return 0, false
	}
	return choices[s.random.IntN(len(choices))], true
}
