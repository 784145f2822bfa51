package exact

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
)

// A component is a set of records that shares no position with any other record: its
// arena can be made small on its own.
type component struct {
	rows    []int
	records problem.Records
	// floor is a proven lower bound in bytes, and exhausted how it was proven: by a
	// search that went through all packings of less.
	floor     problem.Bound
	exhausted bool
	// total is what the best offsets known need, in bytes.
	total   int64
	offsets []int64
	// step divides every total that makes sense.
	step int64
	// form is the problem as package packing takes it, nil where the component is too
	// large to be searched. held are the records that it places; the others never hold a
	// byte, and go to offset 0. searches are what the workers search with.
	form     *packing.Problem
	searches []*packing.Search
	held     []int
	// later are records that fit in however the others are placed.
	later []int
	// probe counts the probes.
	probe uint64
	// nodes counts those of all searches.
	nodes int64
	// windows says that a record is held in part for some time, and closed that there is
	// no more to try.
	windows, closed bool
}

// The largest component that is searched: its records, and the sum over records of the
// sections each is held in. A node of the search looks at all of them.
const (
	maxSearchRecords  = 4096
	maxSearchSections = 1 << 20
)

// componentsOf cuts records at the positions that none lives across, and takes over
// the offsets of a plan.
func componentsOf(records problem.Records, offsets []int64) []*component {
	var list []*component
	end := 0
	for _, i := range problem.InOrder(records) {
		r := records[i]
		if len(list) == 0 || r.First > end {
			list = append(list, &component{})
			end = r.Last
		}
		end = max(end, r.Last)
		c := list[len(list)-1]
		c.rows = append(c.rows, i)
	}
	for _, c := range list {
		slices.Sort(c.rows)
		for _, i := range c.rows {
			c.records = append(c.records, records[i])
			c.offsets = append(c.offsets, offsets[i])
			c.total = max(c.total, offsets[i]+records[i].Size)
		}
		c.floor = problem.LowerBound(c.records)
		c.step = stepOf(c.records)
		c.windows = heldInPart(c.records)
	}
	return list
}

// stepOf returns the greatest common divisor of what offsets are made of: sizes, pinned
// offsets, and alignments that say anything beyond those.
func stepOf(records problem.Records) int64 {
	var step int64
	for _, r := range records {
		step = integer.GCD(step, r.Size)
		if r.Pinned {
			step = integer.GCD(step, r.Offset)
		}
	}
	// An alignment that divides the step says nothing, until another makes it smaller.
	for again := step > 0; again; {
		again = false
		for _, r := range records {
			if a := r.Alignment(); step%a != 0 && a%step != 0 {
				step, again = integer.GCD(step, a), true
			}
		}
	}
	return max(step, 1)
}

// prepare makes the component ready to be searched, if it is small enough.
func (c *component) prepare() {
	if len(c.records) > maxSearchRecords {
		return
	}
	spans, count := sectionsOf(c.records)
	sections := 0
	var items []packing.Item
	c.held = c.held[:0]
	if !c.windows {
		c.later = placeable(c.records, c.step, c.floor.Bytes)
	}
	for i, r := range c.records {
		if len(spans[i]) == 0 || slices.Contains(c.later, i) {
			continue
		}
		c.held = append(c.held, i)
		items = append(items, packing.Item{
			Spans: spans[i], Size: r.Size, Align: r.Alignment(), Pinned: r.Pinned, Offset: r.Offset,
			Width: int64(r.Last) - int64(r.First) + 1, Row: c.rows[i],
		})
		for _, s := range spans[i] {
			sections += int(s.Last-s.First) + 1
		}
	}
	if sections > maxSearchSections {
		return
	}
	if least := reachableFrom(c.records, c.step, c.floor.Bytes, c.total); least > c.floor.Bytes {
		c.floor.Bytes, c.floor.Sums = least, true
	}
	c.form, c.searches = packing.New(items, count), nil
}

// searcher returns the search of one worker.
func (c *component) searcher(worker int) *packing.Search {
	for len(c.searches) <= worker {
		c.searches = append(c.searches, packing.NewSearch(c.form, packing.Without{}))
	}
	return c.searches[worker]
}

// aim returns the largest total that makes sense up to a limit.
func (c *component) aim(limit int64) int64 { return limit - limit%c.step }

// try looks for offsets within a capacity, in up to the given number of nodes; zero means
// any number.
func (c *component) try(ctx context.Context, capacity int64, order packing.Order, nodes int64) problem.Answer {
	search := c.searcher(0)
	before := search.Nodes
	found, offsets := search.Run(ctx, capacity, order, packing.Limits{Nodes: nodes, Memory: memoryFor(nodes)})
	return c.take(capacity, probeRun{found, offsets, search.Nodes - before})
}

// memoryFor returns how many bytes of failures a search of a number of nodes may remember,
// zero for the default: enough for all failures of some hundred records. To note those of
// thousands takes longer than the short search that may need them.
func memoryFor(nodes int64) int64 {
	const perNode, most = 1 << 10, 256 << 20
	return min(nodes, most/perNode) * perNode
}

// take takes over what a search found within a capacity, and whatever that proves.
func (c *component) take(capacity int64, run probeRun) problem.Answer {
	c.nodes += run.nodes
	switch run.answer {
	case problem.Fits:
		c.adopt(c.spread(run.offsets))
	case problem.Misfit:
		if c.aim(capacity)+c.step > c.floor.Bytes && !c.windows {
			c.floor.Bytes, c.exhausted = c.aim(capacity)+c.step, true
		}
	}
	return run.answer
}

// spread returns offsets for all records from those of the held ones.
func (c *component) spread(held []int64) []int64 {
	offsets := make([]int64, len(c.records))
	for i, r := range c.records {
		if r.Pinned {
			offsets[i] = r.Offset
		}
	}
	for k, i := range c.held {
		offsets[i] = held[k]
	}
	placeLater(c.records, offsets, c.later)
	return offsets
}

// adopt takes over better offsets.
func (c *component) adopt(offsets []int64) {
	copy(c.offsets, offsets)
	c.total = 0
	for i, r := range c.records {
		c.total = max(c.total, offsets[i]+r.Size)
	}
}

// disjoin minimises a component with windows by the search that knows windows, as far as it
// gets in the given number of nodes; zero means any number.
func (c *component) disjoin(ctx context.Context, nodes int64) {
	best := disjunctive.Minimise(ctx, c.records, c.floor.Bytes, c.total, nodes, nil)
	if best.Offsets != nil {
		c.adopt(best.Offsets)
	}
	if best.Proven && c.total > c.floor.Bytes {
		c.floor.Bytes, c.exhausted = c.total, true
	}
	c.nodes += best.Nodes
	c.closed = true
}

// heldInPart reports whether a record has a gap in which it holds only some of its
// bytes, a window. Package packing takes it for held whole: what it finds is right, but
// that it finds nothing proves nothing.
func heldInPart(records problem.Records) bool {
	for _, r := range records {
		for _, g := range r.Gaps {
			if g.Lo < g.Hi {
				return true
			}
		}
	}
	return false
}
