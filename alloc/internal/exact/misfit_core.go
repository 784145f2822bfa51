package exact

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/lifetime"
)

// Time limit for reducing a core, and the nodes of each try per node of the first proof.
const (
	coreTime  = 2 * time.Second
	coreNodes = 2
)

// core returns the rows of a few records of the misfit component that do not fit by themselves.
func (f *fitter) core() []int {
	c := f.misfit
	ctx, cancel := context.WithTimeout(f.ctx, coreTime)
	defer cancel()
	limit := firstProbeNodes + coreNodes*nodesOf([]*component{c})
	misfit := func(rows []int) bool {
		return ctx.Err() == nil && misfits(ctx, pick(f.records, rows), f.capacity, limit)
	}
	rows := c.rows
	if peak := f.peak(); misfit(peak) {
		rows = peak
	}
	return problem.Shrink(ctx, rows, misfit)
}

// peak returns the rows of the records that are alive at the busiest position, the largest last.
func (f *fitter) peak() []int {
	records := f.misfit.records
	position, most, breadth := 0, int64(-1), int64(0)
	dying := sets.Heap[lifetime.Record]{Less: func(r, s lifetime.Record) bool { return r.Last < s.Last }}
	for _, i := range problem.InOrder(records) {
		for dying.Len() > 0 && dying.Top().Last < records[i].First {
			breadth -= dying.Pop().Size
		}
		dying.Push(records[i])
		if breadth += records[i].Size; breadth > most {
			position, most = records[i].First, breadth
		}
	}
	var rows []int
	for k, r := range records {
		if r.First <= position && position <= r.Last {
			rows = append(rows, f.misfit.rows[k])
		}
	}
	slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(f.records[i].Size, f.records[j].Size) })
	return rows
}

// misfits reports whether records are proven not to fit.
func misfits(ctx context.Context, records problem.Records, capacity, nodes int64) bool {
	if len(records) == 0 || ctx.Err() != nil {
		return false
	}
	if problem.LowerBound(records).Bytes > capacity {
		return true
	}
	if hasWindows(records) {
		return disjunctive.Fit(ctx, records, capacity, nodes).Answer == problem.Misfit
	}
	c := &component{records: records, rows: problem.Identity(len(records)), offsets: make([]int64, len(records)), step: 1}
	if c.prepare(); c.packing == nil {
		return false
	}
	return c.try(ctx, capacity, packing.Order{Keys: probeKeys[0]}, nodes) == problem.Misfit
}

func pick(records problem.Records, rows []int) problem.Records {
	picked := make(problem.Records, len(rows))
	for k, i := range rows {
		picked[k] = records[i]
	}
	return picked
}
