package replay

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// The values of [Part.Winner] besides the strategies of package alloc.
const (
	FirstFit = "first-fit in order of requests"
	BestFit  = "best-fit in order of requests"
	OfPool   = "the layout of a simulated pool"
)

// onlineLayout returns the layout of an online allocator if there are very many lives and the layout is
// optimal, otherwise nil. It takes far less time and memory than the strategies, and suffices for many
// programs that release blocks in reverse order.
func (p *Profile) onlineLayout(lives []int) *alloc.Plan {
	if len(lives) <= manyBlocks || !p.withinMaxTotal(lives) {
		return nil
	}
	size, blocks := func(n int) int64 { return p.size(lives[n]) }, p.eventOrder(lives)
	var use, bound int64 // the bytes in use, and their peak
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
				Proof: alloc.Proof{Kind: alloc.ByBound, Bound: alloc.Bound{Bytes: bound, Kind: alloc.Breadth}},
			}
		}
	}
	return nil
}

// withinMaxTotal reports whether the sum of the rounded sizes of lives is within [lifetime.MaxTotal].
func (p *Profile) withinMaxTotal(lives []int) bool {
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

// size returns the size of a life, rounded up.
func (p *Profile) size(life int) int64 { return integer.RoundUp(p.Lives[life].Size, p.Granule) }

// improve replaces the plan with the layout of an online allocator if that is smaller. This happens on
// large traces without repetition, and after an interrupted search. After ctx has ended, it tries only
// quick layouts.
func (p *Profile) improve(ctx context.Context, plan *alloc.Plan, records []lifetime.Record) {
	take := func(name string, offsets []int64) {
		var total int64
		for i, r := range records {
			total = max(total, offsets[i]+r.Size)
		}
		if total < plan.Total {
			plan.Offsets, plan.Total, plan.Winner = offsets, total, name
			if plan.Optimal = total == plan.LowerBound; plan.Optimal {
				plan.Proof = alloc.Proof{Kind: alloc.ByBound}
			}
		}
	}
	for _, better := range []struct {
		name  string
		quick bool
		place func() []int64
	}{
		{BestFit, true, func() []int64 { return onlineOffsets(records, true) }},
		{FirstFit, true, func() []int64 { return onlineOffsets(records, false) }},
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

// A sequence calls begin and end for blocks, by number, in order of time. A block that ends before
// another one begins does so first.
type sequence func(begin, end func(n int))

// eventOrder returns the sequence of records.
func eventOrder(records []lifetime.Record) sequence {
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

// eventOrder returns the sequence of lives. It takes time and memory for the whole profile, so lives
// should be a large part of it.
func (p *Profile) eventOrder(lives []int) sequence {
	number := make([]int32, len(p.Lives)) // one more than the index in lives of each life, or 0
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

// pooled returns the offsets of the records in a pool, or nil if the pool fails or misaligns them.
func (p *Profile) pooled(simulated *pool.Pool, records []lifetime.Record) []int64 {
	if p.Granule%poolGranule != 0 && p.Granule != 1 {
		return nil // the pool does not align enough
	}
	addresses := make([]int64, len(records))
	failed := false
	eventOrder(records)(func(i int) {
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

// poolGranule is the granule of pools, in bytes.
const poolGranule = 512

// online places count blocks, each when it begins: in the smallest free range that is large enough, in
// the lowest one, or at the end.
func online(count int, size func(n int) int64, blocks sequence, best bool) []int64 {
	offsets := make([]int64, count)
	h := newFreeRanges(best)
	blocks(func(n int) { offsets[n] = h.allocate(size(n)) }, func(n int) { h.release(offsets[n], size(n)) })
	return offsets
}

// onlineOffsets returns the offsets that online gives to records.
func onlineOffsets(records []lifetime.Record, best bool) []int64 {
	return online(len(records), func(i int) int64 { return records[i].Size }, eventOrder(records), best)
}
