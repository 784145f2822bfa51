package replay

import (
	"context"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Options are the options of [Profile.Plan].
type Options struct {
	// Together plans all lanes of a device in one memory, as if all events happened in the order of
	// the trace.
	Together bool
	// Solve has the options of [alloc.Solve] for each part. Its approach is ignored. [alloc.Auto] also tries layouts in the
	// order of requests.
	Solve alloc.Options
}

// A Part is the plan of blocks that share memory.
type Part struct {
	// Lanes has one lane, or all lanes of the device.
	Lanes []Lane
	// Lives are indexes of [Profile.Lives], and Offsets their offsets in the part, in bytes.
	Lives   []int
	Offsets []int64
	// The other fields are as in [alloc.Plan].
	Total, LowerBound    int64
	Optimal, Interrupted bool
	Proof                alloc.Proof
	Winner               string
}

// A Plan is the plan of a device. Its parts are consecutive.
type Plan struct {
	Parts []Part
	// Total and LowerBound are sums over the parts, in bytes. Optimal is set if all parts are optimal.
	Total, LowerBound    int64
	Optimal, Interrupted bool
}

// mostInUse replaces "the largest operator breadth" for traces, which have no operators.
const mostInUse = "the largest sum of sizes in use at the same time"

// manyBlocks is the number of blocks above which only one strategy runs before the search.
const manyBlocks = 100_000

// Plan plans all blocks that are not cold. It returns errors of [alloc.Solve].
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

// parts returns the parts without offsets.
func (p *Profile) parts(together bool) []Part {
	lane := func(l *Life) uint16 {
		if together {
			return 0
		}
		return l.Lane
	}
	count := make([]int, max(len(p.Device.Lanes), 1)) // lists of millions of lives must not grow step by step
	for i := range p.Lives {
		if l := &p.Lives[i]; !l.Cold {
			count[lane(l)]++
		}
	}
	var parts []Part
	of := make([]int, len(count)) // one more than the part of each lane, or 0
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

// Records returns the blocks of a part as usage records with rounded sizes, in the order of its lives.
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

// solve places the blocks of a part. Blocks in use for the whole trace go below all others: they share
// their bytes with none, so a plan is optimal if and only if the plan of the others is.
func (p *Profile) solve(ctx context.Context, part *Part, opt alloc.Options) error {
	part.Offsets = make([]int64, len(part.Lives))
	base, err := p.placeResidents(part)
	if err != nil {
		return err
	}
	rest, at := p.nonResidents(part)
	opt.Approach = alloc.Offsets
	opt.Quick = opt.Quick || len(rest) > manyBlocks
	var plan *alloc.Plan
	auto := opt.Strategy == "" || opt.Strategy == alloc.Auto
	if auto {
		plan = p.onlineLayout(rest)
	}
	if plan == nil {
		records := p.records(rest)
		if plan, err = alloc.Solve(ctx, records, opt); err != nil {
			return err
		}
		if auto {
			p.improve(ctx, plan, records)
		}
	}
	for n, offset := range plan.Offsets {
		part.Offsets[at(n)] = base + offset
	}
	part.Total, part.LowerBound = base+plan.Total, base+plan.LowerBound
	part.Optimal, part.Winner, part.Interrupted = plan.Optimal, plan.Winner, plan.Interrupted
	if part.Proof = plan.Proof; part.Proof.Bound.Kind == alloc.Breadth {
		part.Proof.Bound.Kind, part.Proof.Bound.Reason = 0, mostInUse
	}
	if err := p.check(part, minSectionBlocks); err != nil {
		return fmt.Errorf("fault in tflarena, please report it: a wrong plan of a trace: %w", err)
	}
	return nil
}

// placeResidents places the blocks in use for the whole trace one after the other, and returns their end.
func (p *Profile) placeResidents(part *Part) (base int64, err error) {
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

// nonResidents returns the lives of all other blocks, and a function from their indexes to those in
// the part. There may be millions, so it copies the list only if it has to.
func (p *Profile) nonResidents(part *Part) (rest []int, at func(n int) int) {
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
