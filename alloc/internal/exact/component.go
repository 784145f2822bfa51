package exact

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
)

// A component is a set of records that shares no position with any other record, so that its arena can
// be minimised separately.
type component struct {
	rows    []int
	records problem.Records
	// floor is a proven lower bound in bytes, and exhausted reports that it was proven by a complete
	// search of all smaller packings.
	floor     problem.Bound
	exhausted bool
	// total is the total of the best known offsets, in bytes.
	total   int64
	offsets []int64
	// step divides every useful total.
	step int64
	// packing is the problem for package packing, nil if the component is too large to search. held are
	// its records; the others never hold a byte, and go to offset 0. searches are the searches of the
	// workers.
	packing  *packing.Problem
	searches []*packing.Search
	held     []int
	// later are records that fit however the others are placed.
	later []int
	// probe counts the probes.
	probe uint64
	// nodes counts the nodes of all searches.
	nodes int64
	// windows reports that a record is partly held for some time, and finished that nothing is left to
	// try.
	windows, finished bool
}

// Limits of a searched component: its records, and the sum over records of the sections each is held
// in. A node of the search visits all of them.
const (
	maxSearchRecords  = 4096
	maxSearchSections = 1 << 20
)

// componentsOf cuts records at positions that none lives across, and assigns the offsets of a plan.
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
		c.windows = hasWindows(c.records)
	}
	return list
}

// stepOf returns the greatest common divisor of the terms of offsets: sizes, pinned offsets, and
// alignments that add a constraint.
func stepOf(records problem.Records) int64 {
	var step int64
	for _, r := range records {
		step = integer.GCD(step, r.Size)
		if r.Pinned {
			step = integer.GCD(step, r.Offset)
		}
	}
	// An alignment that divides the step adds no constraint, until another makes it smaller.
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

// prepare sets up the search of a component, if it is small enough.
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
	c.packing, c.searches = packing.New(items, count), nil
}

// searcher returns the search of one worker.
func (c *component) searcher(worker int) *packing.Search {
	for len(c.searches) <= worker {
		c.searches = append(c.searches, packing.NewSearch(c.packing, packing.Without{}))
	}
	return c.searches[worker]
}

// usefulTotal returns the largest useful total up to a limit.
func (c *component) usefulTotal(limit int64) int64 { return limit - limit%c.step }

// try searches for offsets within a capacity, in up to the given number of nodes; zero means no limit.
func (c *component) try(ctx context.Context, capacity int64, order packing.Order, nodes int64) problem.Answer {
	search := c.searcher(0)
	before := search.Nodes
	found, offsets := search.Run(ctx, capacity, order, packing.Limits{Nodes: nodes, Memory: memoryFor(nodes)})
	return c.record(capacity, probeResult{found, offsets, search.Nodes - before})
}

// memoryFor returns the bytes of remembered failures for a search of a number of nodes, zero for the
// default: enough for all failures of some hundred records. Recording thousands of records' failures
// takes longer than a short search that could use them.
func memoryFor(nodes int64) int64 {
	const perNode, most = 1 << 10, 256 << 20
	return min(nodes, most/perNode) * perNode
}

// record stores the result of a search within a capacity, and its proof.
func (c *component) record(capacity int64, run probeResult) problem.Answer {
	c.nodes += run.nodes
	switch run.answer {
	case problem.Fits:
		c.adopt(c.allOffsets(run.offsets))
	case problem.Misfit:
		if c.usefulTotal(capacity)+c.step > c.floor.Bytes && !c.windows {
			c.floor.Bytes, c.exhausted = c.usefulTotal(capacity)+c.step, true
		}
	}
	return run.answer
}

// allOffsets maps offsets of the held records to all records.
func (c *component) allOffsets(held []int64) []int64 {
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

// adopt stores better offsets.
func (c *component) adopt(offsets []int64) {
	copy(c.offsets, offsets)
	c.total = 0
	for i, r := range c.records {
		c.total = max(c.total, offsets[i]+r.Size)
	}
}

// searchDisjunctive minimises a component with windows by package disjunctive, within the given number
// of nodes; zero means no limit.
func (c *component) searchDisjunctive(ctx context.Context, nodes int64) {
	best := disjunctive.Minimise(ctx, c.records, c.floor.Bytes, c.total, nodes, nil)
	if best.Offsets != nil {
		c.adopt(best.Offsets)
	}
	if best.Proven && c.total > c.floor.Bytes {
		c.floor.Bytes, c.exhausted = c.total, true
	}
	c.nodes += best.Nodes
	c.finished = true
}

// hasWindows reports whether a record has a gap in which it holds only some of its bytes, a window.
// Package packing treats it as held whole: its plans are valid, but its failures prove nothing.
func hasWindows(records problem.Records) bool {
	for _, r := range records {
		for _, g := range r.Gaps {
			if g.Lo < g.Hi {
				return true
			}
		}
	}
	return false
}
