package replay

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Options choose how [Profile.Plan] works.
type Options struct {
	// Together plans all streams and pools of a device in one piece of memory, as if
	// everything happened in the order of the trace.
	Together bool
	// Solve says how the blocks of each part are planned. Its approach does not count.
	Solve alloc.Options
}

// A Part is the plan of blocks that share memory.
type Part struct {
	// Lanes are what the part has: one, or all lanes of the device.
	Lanes []Lane
	// Lives are indexes of [Profile.Lives], and Offsets where these blocks lie, in bytes from
	// the beginning of the part.
	Lives   []int
	Offsets []int64
	// Total, LowerBound and Proof are as those of an [alloc.Plan].
	Total, LowerBound    int64
	Optimal, Interrupted bool
	Proof, Winner        string
}

// A Plan is the memory for all blocks of a device. Its parts lie one behind the other.
type Plan struct {
	Parts []Part
	// Total and LowerBound are the sums of those of the parts, in bytes. Optimal says that
	// all of them are.
	Total, LowerBound    int64
	Optimal, Interrupted bool
}

// mostInUse is what the largest operator breadth is for a trace, which has no operators.
const mostInUse = "the largest sum of sizes in use at the same time"

// manyBlocks is the number of blocks above which one strategy has to do before the search.
const manyBlocks = 100_000

// Plan plans all blocks that are not cold. Its errors are those of [alloc.Solve].
func (p *Profile) Plan(ctx context.Context, opt Options) (*Plan, error) {
	plan := &Plan{Optimal: true}
	for _, part := range p.parts(opt.Together) {
		if err := p.solve(ctx, &part, opt.Solve); err != nil {
			return nil, err
		}
		plan.Parts = append(plan.Parts, part)
		plan.Total += part.Total
		plan.LowerBound += part.LowerBound
		plan.Optimal = plan.Optimal && part.Optimal
		plan.Interrupted = plan.Interrupted || part.Interrupted
	}
	return plan, nil
}

// parts returns which blocks share memory, without places.
func (p *Profile) parts(together bool) []Part {
	lane := func(l *Life) uint16 {
		if together {
			return 0
		}
		return l.Lane
	}
	count := make([]int, max(len(p.Device.Lanes), 1)) // there may be millions of lives, so that no list of them should grow step by step
	for i := range p.Lives {
		if l := &p.Lives[i]; !l.Cold {
			count[lane(l)]++
		}
	}
	var parts []Part
	of := make([]int, len(count)) // the part of each lane, counted from 1
	for i := range p.Lives {
		l := &p.Lives[i]
		if l.Cold {
			continue
		}
		k := of[lane(l)] - 1
		if k < 0 {
			k = len(parts)
			of[lane(l)] = k + 1
			parts = append(parts, Part{Lanes: p.Device.Lanes, Lives: make([]int, 0, count[lane(l)])})
			if !together {
				parts[k].Lanes = p.Device.Lanes[l.Lane : l.Lane+1]
			}
		}
		parts[k].Lives = append(parts[k].Lives, i)
	}
	return parts
}

// Records returns the blocks of a part as records, in the order of its lives. Their sizes are
// rounded up.
func (p *Profile) Records(part *Part) []lifetime.Record { return p.records(part.Lives) }

func (p *Profile) records(lives []int) []lifetime.Record {
	records := make([]lifetime.Record, len(lives))
	for n, i := range lives {
		records[n] = p.record(i)
	}
	return records
}

func (p *Profile) record(life int) lifetime.Record {
	l := &p.Lives[life]
	return lifetime.Record{First: l.First, Last: l.Last, Size: p.size(life), Align: p.Granule}
}

// solve gives the blocks of a part their places. Those that are there all the time lie below
// all others: they keep their bytes from everybody wherever they are, so that a plan is optimal
// exactly if that of the others is.
func (p *Profile) solve(ctx context.Context, part *Part, opt alloc.Options) error {
	part.Offsets = make([]int64, len(part.Lives))
	base, err := p.below(part)
	if err != nil {
		return err
	}
	rest, at := p.others(part)
	opt.Approach = alloc.Offsets
	opt.Quick = opt.Quick || len(rest) > manyBlocks
	plan := p.inOneGo(rest)
	if plan == nil {
		records := p.records(rest)
		if plan, err = alloc.Solve(ctx, records, opt); err != nil {
			return err
		}
		p.improve(ctx, plan, records)
	}
	for n, offset := range plan.Offsets {
		part.Offsets[at(n)] = base + offset
	}
	part.Total, part.LowerBound = base+plan.Total, base+plan.LowerBound
	part.Optimal, part.Winner, part.Interrupted = plan.Optimal, plan.Winner, plan.Interrupted
	part.Proof = strings.Replace(plan.Proof, "the largest operator breadth", mostInUse, 1)
	if err := p.check(part); err != nil {
		return fmt.Errorf("fault in tflarena, please report it: a wrong plan of a trace: %w", err)
	}
	return nil
}

// below places the blocks that are there all the time one behind the other, and returns their end.
func (p *Profile) below(part *Part) (base int64, err error) {
	for k, i := range part.Lives {
		if !p.Lives[i].Resident() {
			continue
		}
		part.Offsets[k] = base
		if base += p.size(i); base > math.MaxInt64/4 {
			return 0, fmt.Errorf("the blocks of the whole trace take more than %s", units.ExactBytes(int64(lifetime.MaxTotal)))
		}
	}
	return base, nil
}

// others returns the lives of all other blocks, and where each of them is among all. There may be
// millions, so they are copied only where they are not all.
func (p *Profile) others(part *Part) (rest []int, at func(n int) int) {
	resident := 0
	for _, i := range part.Lives {
		if p.Lives[i].Resident() {
			resident++
		}
	}
	if resident == 0 {
		return part.Lives, func(n int) int { return n }
	}
	index := make([]int, 0, len(part.Lives)-resident)
	rest = make([]int, 0, cap(index))
	for k, i := range part.Lives {
		if !p.Lives[i].Resident() {
			index, rest = append(index, k), append(rest, i)
		}
	}
	return rest, func(n int) int { return index[n] }
}
