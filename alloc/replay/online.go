package replay

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// What made the plan of a part besides the strategies of package alloc.
const (
	FirstFit = "first-fit in order of requests"
	BestFit  = "best-fit in order of requests"
	OfPool   = "the layout of a simulated pool"
)

// inOneGo returns the layout of an allocator that does not know the future, if there are very many
// lives and no plan is smaller. It takes a small part of the time and the memory that the
// strategies take, and programs that release last what they requested first often need no more.
func (p *Profile) inOneGo(lives []int) *alloc.Plan {
	if len(lives) <= manyBlocks || !p.countable(lives) {
		return nil
	}
	size, blocks := func(n int) int64 { return p.size(lives[n]) }, p.inOrder(lives)
	var use, bound int64 // the most bytes at the same time
	blocks(func(n int) {
		use += size(n)
		bound = max(bound, use)
	}, func(n int) { use -= size(n) })
	for _, best := range []bool{true, false} {
		offsets := online(len(lives), size, blocks, best)
		total := int64(0)
		for n := range lives {
			total = max(total, offsets[n]+size(n))
		}
		if total == bound {
			name := map[bool]string{true: BestFit, false: FirstFit}[best]
			return &alloc.Plan{
				Approach: alloc.Offsets, Winner: name, Offsets: offsets, Total: total, LowerBound: bound, Optimal: true,
				Proof: "the total equals the lower bound: " + mostInUse,
			}
		}
	}
	return nil
}

// countable reports whether the sizes of lives, rounded up, come to no more than a plan may have.
func (p *Profile) countable(lives []int) bool {
	var sum int64
	for _, i := range lives {
		if size := p.Lives[i].Size; size < 0 || size > lifetime.MaxTotal {
			return false
		}
		if sum += p.size(i) + p.Granule; sum < 0 || sum > lifetime.MaxTotal {
			return false
		}
	}
	return true
}

// size returns the bytes that a life takes.
func (p *Profile) size(life int) int64 { return integer.RoundUp(p.Lives[life].Size, p.Granule) }

// improve takes the layout of an allocator that does not know the future where that is smaller
// than the plan. This happens on large traces in which nothing repeats, and after an interrupted search. The
// quick layouts are tried even after an interrupt.
func (p *Profile) improve(ctx context.Context, plan *alloc.Plan, records []lifetime.Record) {
	take := func(name string, offsets []int64) {
		var total int64
		for i, r := range records {
			total = max(total, offsets[i]+r.Size)
		}
		if total < plan.Total {
			plan.Offsets, plan.Total, plan.Winner = offsets, total, name
			if plan.Optimal = total == plan.LowerBound; plan.Optimal {
				plan.Proof = "the total equals the lower bound"
			}
		}
	}
	for _, better := range []struct {
		name  string
		quick bool
		place func() []int64
	}{
		{BestFit, true, func() []int64 { return onlineOf(records, true) }},
		{FirstFit, true, func() []int64 { return onlineOf(records, false) }},
		{OfPool, false, func() []int64 { return p.pooled(pool.NewChainer(0), records) }},
		{OfPool, false, func() []int64 { return p.pooled(pool.NewCaching(true, 0), records) }},
		{OfPool, false, func() []int64 { return p.pooled(pool.NewCaching(false, 0), records) }},
	} {
		if plan.Optimal || ctx.Err() != nil && !better.quick {
			return
		}
		if offsets := better.place(); offsets != nil {
			take(better.name, offsets)
		}
	}
}

// A sequence calls begin and end for blocks, by number, in the order in which they begin; what ends
// before another one begins does so first.
type sequence func(begin, end func(n int))

// inOrder returns the sequence of records.
func inOrder(records []lifetime.Record) sequence {
	return func(begin, end func(i int)) {
		ends := sets.Heap[int]{Less: func(i, j int) bool {
			if records[i].Last != records[j].Last {
				return records[i].Last < records[j].Last
			}
			return i < j
		}}
		for i, r := range records { // lives are in the order of their beginnings
			for ends.Len() > 0 && records[ends.Top()].Last < r.First {
				end(ends.Pop())
			}
			begin(i)
			ends.Push(i)
		}
	}
}

// inOrder returns the sequence of lives. It takes time and memory for all of the profile, so it is
// for a large part of them.
func (p *Profile) inOrder(lives []int) sequence {
	number := make([]int32, len(p.Lives)) // of each life, counted from 1; 0 for those that are not asked for
	for n, i := range lives {
		number[i] = int32(n) + 1
	}
	return func(begin, end func(n int)) {
		ends := p.byLast()
		for n, i := range lives {
			for ; len(ends) > 0 && p.Lives[ends[0]].Last < p.Lives[i].First; ends = ends[1:] {
				if ended := number[ends[0]]; ended > 0 {
					end(int(ended) - 1)
				}
			}
			begin(n)
		}
	}
}

// pooled returns where a pool places the records, nil where it cannot.
func (p *Profile) pooled(simulated *pool.Pool, records []lifetime.Record) []int64 {
	if p.Granule%poolGranule != 0 && p.Granule != 1 {
		return nil // the pool's places do not suit
	}
	addresses := make([]int64, len(records))
	failed := false
	inOrder(records)(func(i int) {
		var err error
		addresses[i], err = simulated.Alloc(0, records[i].Size)
		failed = failed || err != nil
	}, func(i int) {
		failed = failed || simulated.Free(addresses[i]) != nil
	})
	if failed {
		return nil
	}
	offsets := simulated.Compact(addresses)
	for _, o := range offsets {
		if o%p.Granule != 0 {
			return nil
		}
	}
	return offsets
}

// poolGranule is what pools round sizes up to, in bytes.
const poolGranule = 512

// online places each of so many blocks when it begins: in the smallest hole that is large enough, or
// in the lowest one, or at the end.
func online(count int, size func(n int) int64, blocks sequence, best bool) []int64 {
	offsets := make([]int64, count)
	h := newHoles(best)
	blocks(func(n int) { offsets[n] = h.take(size(n)) }, func(n int) { h.give(offsets[n], size(n)) })
	return offsets
}

// onlineOf is online for records.
func onlineOf(records []lifetime.Record, best bool) []int64 {
	return online(len(records), func(i int) int64 { return records[i].Size }, inOrder(records), best)
}
