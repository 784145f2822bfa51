package inplace

import (
	"context"
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// A Chain is a problem cut into links.
type Chain struct {
	records   []lifetime.Record
	takeovers []lifetime.Takeover
	overlaps  []lifetime.Overlap
	links     []*part
	// fine reports that large links were cut where several records pass, which leaves many more ways to go on.
	fine bool
}

// A part is a link of some of the records.
type part struct {
	*Link
	rows []int
}

// NewChain cuts a problem into links. takeovers and overlaps permit records to share memory. It returns
// the error of [lifetime.CheckRecords], or an error for a pinned record that is empty or passed from
// link to link.
func NewChain(records []lifetime.Record, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) (*Chain, error) {
	if err := lifetime.CheckRecords(records); err != nil {
		return nil, err
	}
	c := &Chain{records: records, takeovers: takeovers, overlaps: overlaps}
	list := intervals(records, 1, 0)
	for i, r := range records {
		if r.Pinned && (r.Size == 0 || slices.ContainsFunc(list, func(s interval) bool { return slices.Contains(s.out, i) })) {
			return nil, fmt.Errorf("record %d is pinned, and is empty or handed on from link to link", i)
		}
	}
	c.link(list)
	return c, nil
}

// Finer returns the chain with its large links cut where up to three records pass, or nil if it has none that can be cut.
// It has better plans of such links, such as those of a network with a skip tensor, but takes longer to plan.
func (c *Chain) Finer() *Chain { return c.finer(wholeRecords) }

// wholeRecords is the number of records up to which a link is planned as a whole. The plans of larger links end far above
// their lower bounds.
const wholeRecords = 1024

// finer is [Chain.Finer] for links with more than some number of records.
func (c *Chain) finer(many int) *Chain {
	list := intervals(c.records, wide, many)
	if len(list) == len(c.links) {
		return nil
	}
	f := &Chain{records: c.records, takeovers: c.takeovers, overlaps: c.overlaps, fine: true}
	f.link(list)
	return f
}

// link makes the links of intervals.
func (c *Chain) link(list []interval) {
	rows, shared := c.splitByInterval(list)
	for k, s := range list {
		c.links = append(c.links, c.part(s, rows[k], shared[k]))
	}
}

// Remember makes the chain use a memo, which other chains may use as well.
func (c *Chain) Remember(m *Memo) {
	for _, l := range c.links {
		l.memo = m
	}
}

// splitByInterval returns the records of each interval, and the takeovers between records alive there.
func (c *Chain) splitByInterval(list []interval) (rows [][]int, takeovers [][]lifetime.Takeover) {
	rows, takeovers = make([][]int, len(list)), make([][]lifetime.Takeover, len(list))
	// across returns the range [from, to) of intervals from one position to another.
	across := func(first, last int) (from, to int) {
		from = sort.Search(len(list), func(k int) bool { return list[k].last >= first })
		return from, sort.Search(len(list), func(k int) bool { return list[k].first > last })
	}
	for i, r := range c.records {
		if r.Size == 0 {
			continue
		}
		for k, to := across(r.First, r.Last); k < to; k++ {
			rows[k] = append(rows[k], i)
		}
	}
	for _, t := range c.takeovers {
		a, b := c.records[t.From], c.records[t.To]
		if a.Size == 0 || b.Size == 0 || !a.Overlaps(b) {
			continue
		}
		for k, to := across(max(a.First, b.First), min(a.Last, b.Last)); k < to; k++ {
			takeovers[k] = append(takeovers[k], t)
		}
	}
	return rows, takeovers
}

// part returns the link of an interval.
func (c *Chain) part(s interval, rows []int, takeovers []lifetime.Takeover) *part {
	place := map[int]int{}
	var records []lifetime.Record
	for k, i := range rows {
		place[i] = k
		records = append(records, s.part(c.records[i]))
	}
	for k, t := range takeovers {
		takeovers[k].From, takeovers[k].To = place[t.From], place[t.To]
	}
	l := NewLink(records, takeovers, c.overlapsIn(s, place), placesOf(s.in, place), placesOf(s.out, place))
	l.whole = s.whole
	return &part{l, rows}
}

// placesOf returns the indexes of records in a part.
func placesOf(records []int, place map[int]int) (list []int) {
	for _, i := range records {
		list = append(list, place[i])
	}
	return list
}

// overlapsIn returns the overlaps at the operators of an interval, by indexes of its records.
func (c *Chain) overlapsIn(s interval, place map[int]int) (list []lifetime.Overlap) {
	for _, o := range c.overlaps {
		from, one := place[o.From]
		to, other := place[o.To]
		if one && other && s.first <= o.At && o.At <= s.last {
			o.From, o.To = from, to
			list = append(list, o)
		}
	}
	return list
}

func (c *Chain) Links() int { return len(c.links) }

// Bound returns a lower bound of the plans of [Chain.Fit] in bytes.
func (c *Chain) Bound() (bytes int64) {
	for _, l := range c.links {
		bytes = max(bytes, l.Bound())
	}
	return bytes
}

// Fit returns offsets within limit, in bytes, one for each record. nodes bounds the search for a plan
// of one link, for each way of sharing memory and given places of its ends. If ok is false, no plan was
// found, which proves nothing.
func (c *Chain) Fit(ctx context.Context, limit, nodes int64) (offsets []int64, ok bool) {
	if c.Bound() > limit {
		return nil, false
	}
	f := &fitter{
		Chain: c, ctx: ctx, limit: limit, nodes: nodes, left: c.tries(), outgoing: map[int][]int64{},
		tried: map[try][]int64{}, failed: map[state]int{}, offsets: make([]int64, len(c.records)),
	}
	for _, l := range c.links { // a link without a plan would be tried again for many places of its ends
		if !l.fitsAlone(ctx, limit, nodes) {
			return nil, false
		}
	}
	if !f.fit() {
		return nil, false
	}
	return f.offsets, true
}

// Least returns the smallest total found below known and its offsets, in bytes; ok is false if none was
// found. It bisects down to [Chain.Bound], until totals that are smaller by at least resolution bytes
// were tried in vain. nodes is as in [Chain.Fit].
func (c *Chain) Least(ctx context.Context, known, nodes, resolution int64) (total int64, offsets []int64, ok bool) {
	total = known
	step := c.step()
	least := integer.RoundUp(c.Bound(), step)
	if c.fine {
		least = c.leastOfLinks(ctx, known, nodes, resolution)
	}
	for low := least; low < total && (low == least || total-low >= resolution) && ctx.Err() == nil; {
		limit := low
		if ok || low > least {
			limit += (total - 1 - low) / 2 / step * step
		}
		if found, fits := c.Fit(ctx, limit, nodes); fits {
			total, offsets, ok = highestEnd(c.records, found), found, true
		} else {
			low = limit + step
		}
	}
	return total, offsets, ok
}

// leastOfLinks returns the smallest total found below known, in bytes, with a plan of each link by itself, or known.
func (c *Chain) leastOfLinks(ctx context.Context, known, nodes, resolution int64) int64 {
	step := c.step()
	least := integer.RoundUp(c.Bound(), step)
	for _, l := range c.links {
		if least >= known || l.fitsAlone(ctx, least, nodes) {
			continue
		}
		low, high := least+step, known
		for low < high && high-low >= resolution && ctx.Err() == nil {
			if limit := low + (high-1-low)/2/step*step; l.fitsAlone(ctx, limit, nodes) {
				high = limit
			} else {
				low = limit + step
			}
		}
		least = high
	}
	return least
}

// step returns a divisor of all totals in bytes: each record begins at a multiple of its alignment.
func (c *Chain) step() (bytes int64) {
	for _, r := range c.records {
		for _, n := range []int64{r.Size, r.Alignment()} {
			for n != 0 {
				bytes, n = n, bytes%n
			}
		}
	}
	return max(bytes, 1)
}

// Total returns the highest end of a record for offsets in bytes.
func (c *Chain) Total(offsets []int64) (bytes int64) { return highestEnd(c.records, offsets) }

// highestEnd returns the highest end of a record.
func highestEnd(records []lifetime.Record, offsets []int64) (bytes int64) {
	for i, r := range records {
		bytes = max(bytes, offsets[i]+r.Size)
	}
	return bytes
}
