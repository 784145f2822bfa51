package pin

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// chooser tries pins on the runtime's planner. Tensors that share memory are one record, which
// is always pinned, since the runtime does not know about the sharing.
type chooser struct {
	view    *rules.View
	merged  *inplace.Merged
	records []lifetime.Record // the merged tensors, then scratch
	tensors int               // how many of the records are tensors
	// all are the tensors as the runtime sees them, then scratch; remaining are the tensors
	// with the bytes and times in which they really conflict.
	all, remaining []lifetime.Record
	// permitted are the overlaps of all; overlaps are those that remain between records.
	permitted, overlaps []lifetime.Overlap
	// effort scales the work of searches, 0 for 1.
	effort float64
}

// newChooser returns the chooser without takeovers at a level of in-place outputs.
func newChooser(v *rules.View, scratch []rules.Request, alias rules.Alias) *chooser {
	c := &chooser{view: v, all: v.WithScratch(scratch), remaining: v.Remaining(alias), permitted: v.Overlaps(alias)}
	return c.with(nil)
}

// with returns a chooser that differs in its takeovers.
func (c *chooser) with(takeovers []lifetime.Takeover) *chooser {
	open, d := c.openTensors(), *c
	d.merge(inplace.Merge(c.remaining, takeovers, func(i int) bool { return open[i] }))
	return &d
}

// merge sets the records to plan: merged tensors, then scratch.
func (c *chooser) merge(m *inplace.Merged) {
	c.merged = m
	c.records = append(slices.Clone(m.Records), c.all[len(c.remaining):]...)
	c.tensors = len(m.Records)
	c.overlaps = m.Overlaps(c.remaining, c.permitted)
}

// aliased reports whether tensors may be placed where the runtime would not place them.
func (c *chooser) aliased() bool {
	return len(c.merged.Taken) > 0 || lifetime.HasGaps(c.merged.Records) || len(c.overlaps) > 0
}

// shared reports whether a record holds several tensors.
func (c *chooser) shared(record int) bool { return len(c.merged.Groups[record]) > 1 }

// pins maps record indexes to fixed offsets.
type pins map[int]int64

// candidate is a set of pins and the runtime's head around them.
type candidate struct {
	strategy string
	pins     pins
	head     int64
}

// head returns the head of the runtime's planner around the pins.
func (c *chooser) head(ctx context.Context, p pins) (int64, error) {
	plan, err := c.simulate(ctx, p)
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}

// simulate returns the runtime's placement of the records around pins.
func (c *chooser) simulate(ctx context.Context, p pins) (*alloc.Plan, error) {
	if c.merged.Loose() || lifetime.HasGaps(c.records) || len(c.overlaps) > 0 {
		return c.simulateApart(ctx, p)
	}
	return alloc.Solve(ctx, c.pinned(p), alloc.Options{Approach: alloc.Offsets, Strategy: alloc.TFLMGreedy})
}

// simulateApart is simulate for records with bytes that are temporarily free. The runtime,
// unaware of merging and gaps, sees all tensors, each for its whole lifetime.
func (c *chooser) simulateApart(ctx context.Context, p pins) (*alloc.Plan, error) {
	records := slices.Clone(c.all)
	for k, offset := range p {
		for _, i := range c.merged.Groups[k] {
			records[i].Pinned, records[i].Offset = true, offset+c.merged.Within(i)
		}
	}
	offsets, head, err := greedy(ctx, records)
	if err != nil {
		return nil, err
	}
	plan := &alloc.Plan{Total: head}
	for _, group := range c.merged.Groups {
		plan.Offsets = append(plan.Offsets, offsets[group[0]]-c.merged.Within(group[0]))
	}
	plan.Offsets = append(plan.Offsets, offsets[len(c.remaining):]...)
	return plan, nil
}

// bound returns a lower bound of the head for all plans with the same sharing of memory.
func (c *chooser) bound() int64 {
	if c.merged.Loose() {
		if len(c.overlaps) > 0 { // tensors held separately have no overlaps of their own
			return inplace.Bound(append(slices.Clone(c.remaining), c.all[len(c.remaining):]...), c.merged.Taken, c.permitted)
		}
		return lifetime.MaxBreadth(append(c.merged.Held(c.remaining), c.all[len(c.remaining):]...))
	}
	if len(c.overlaps) > 0 {
		return lifetime.LeastBreadth(c.records, c.overlaps)
	}
	return alloc.LowerBound(alloc.Offsets, c.records)
}

// permit adds to solver options the overlaps permitted between the records.
func (c *chooser) permit(o alloc.Options) alloc.Options {
	return o.Permit(c.records, c.overlaps, nil)
}

// overlapping returns the overlaps of pinned tensors that share bytes.
func (c *chooser) overlapping(p pins) (list []lifetime.Overlap) {
	at := map[int]int64{}
	for k, offset := range p {
		for _, i := range c.merged.Groups[k] {
			at[i] = offset + c.merged.Within(i)
		}
	}
	for _, o := range c.permitted {
		from, one := at[o.From]
		to, other := at[o.To]
		if one && other && from < to+c.all[o.To].Size && to < from+c.all[o.From].Size {
			list = append(list, o)
		}
	}
	return list
}

func (c *chooser) pinned(p pins) []lifetime.Record {
	records := make([]lifetime.Record, len(c.records))
	copy(records, c.records)
	for i, offset := range p {
		records[i].Pinned, records[i].Offset = true, offset
	}
	return records
}

// fixable returns the offsets of a plan that a model file can fix.
func (c *chooser) fixable(plan *alloc.Plan) pins {
	p := pins{}
	free := c.openTensors()
	for i := range c.records[:c.tensors] {
		if !free[c.merged.Groups[i][0]] && plan.Offsets[i] <= math.MaxInt32-c.records[i].Size {
			p[i] = plan.Offsets[i]
		}
	}
	return p
}

// openTensors returns the tensors, by the view's records, that are always left to the runtime.
//
// Unused tensors, and tensors of subgraphs never called, are live at -1 alone: fixing them can
// only cause conflicts. And if a subgraph above the first has variables, the runtime looks up
// their offsets at the entries of their indexes, as if the plan began with that subgraph, and
// leaves them without memory if that entry is fixed: it belongs to a tensor of subgraph 0, or
// of a later one if subgraph 0 has fewer tensors.
func (c *chooser) openTensors() map[int]bool {
	variables := map[int]bool{}
	for _, s := range c.view.Model.Subgraphs[min(1, len(c.view.Model.Subgraphs)):] {
		for i := range s.Tensors {
			if s.Tensors[i].Variable {
				variables[i] = true
			}
		}
	}
	open, start := map[int]bool{}, starts(c.view.Model)
	for i, at := range c.view.Usage.Places {
		open[i] = c.view.Usage.Records[i].Last < 0 || variables[start[at.Subgraph]+at.Tensor]
	}
	return open
}

// offsets expands the pins to one offset for each tensor of the file.
func (c *chooser) offsets(p pins) []int32 {
	start, n := starts(c.view.Model), 0
	for i := range c.view.Model.Subgraphs {
		n += len(c.view.Model.Subgraphs[i].Tensors)
	}
	offsets := make([]int32, n)
	for i := range offsets {
		offsets[i] = -1
	}
	for i, offset := range p {
		for _, tensor := range c.merged.Groups[i] {
			at := c.view.Usage.Places[tensor]
			offsets[start[at.Subgraph]+at.Tensor] = int32(offset + c.merged.Within(tensor))
		}
	}
	return offsets
}
