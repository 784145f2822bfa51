package alloc

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// ToOffsets returns the plan of approach [Offsets] that lays p's shared objects end to end in their
// order (Pisarchyk and Lee 2020, section 5), each aligned for all records it holds. A plan of approach
// Offsets is copied.
//
// records are those p was made from; a plan that is invalid for them is an error, and so are alignments
// whose common multiple would make offsets exceed [lifetime.MaxTotal]. The result has passed the
// checker.
func (p *Plan) ToOffsets(records []lifetime.Record) (*Plan, error) {
	if err := p.check(records); err != nil {
		return nil, fmt.Errorf("the plan is wrong for these records: %w", err)
	}
	q := *p
	if p.Approach == Offsets {
		q.Offsets = slices.Clone(p.Offsets)
		return &q, nil
	}
	offsets, err := endToEnd(p, records)
	if err != nil {
		return nil, err
	}
	q.Approach, q.Offsets, q.Objects, q.ObjectSizes = Offsets, offsets, nil, nil
	q.Optimal, q.Proof = false, Proof{}
	q.Total = q.placedTotal(records)
	q.applyBound(lowerBound(Offsets, problem.NonEmpty(records)))
	if err := q.check(records); err != nil {
		return nil, err
	}
	return &q, nil
}

// endToEnd returns each record's offset, which is the offset of its object.
func endToEnd(p *Plan, records Records) ([]int64, error) {
	aligns := make([]int64, len(p.ObjectSizes))
	for i, r := range records {
		a := &aligns[p.Objects[i]]
		if *a = commonMultiple(max(*a, 1), r.Alignment()); *a < 0 {
			return nil, fmt.Errorf("object %d holds alignments whose common multiple is above %s", p.Objects[i], units.ExactBytes(lifetime.MaxTotal))
		}
	}
	starts := make([]int64, len(p.ObjectSizes))
	var end int64
	for id, size := range p.ObjectSizes {
		starts[id] = integer.RoundUp(end, max(aligns[id], 1))
		if starts[id]+min(size, lifetime.MaxTotal) >= lifetime.MaxTotal {
			return nil, fmt.Errorf("object %d would end above %s", id, units.ExactBytes(lifetime.MaxTotal))
		}
		end = starts[id] + size
	}
	offsets := make([]int64, len(records))
	for i := range records {
		offsets[i] = starts[p.Objects[i]]
	}
	return offsets, nil
}

// commonMultiple returns the least common multiple of two positive numbers, or -1 if it exceeds
// [lifetime.MaxTotal].
func commonMultiple(a, b int64) int64 {
	divisor, rest := a, b
	for rest != 0 {
		divisor, rest = rest, divisor%rest
	}
	if a/divisor > lifetime.MaxTotal/b {
		return -1
	}
	return a / divisor * b
}
