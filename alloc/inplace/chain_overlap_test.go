package inplace

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// trailing draws a problem in which some records may overlap where the one ends and the other
// begins.
func trailing(t *rapid.T) problem {
	p := drawnChain(t)
	for i, r := range p.records {
		for j, s := range p.records {
			if r.First < r.Last && r.Last == s.First && s.Size > 0 && rapid.Bool().Draw(t, "overlap") {
				distance := rapid.Int64Range(-r.Size, s.Size-1).Draw(t, "distance")
				p.overlaps = append(p.overlaps, lifetime.Overlap{From: i, To: j, At: r.Last, Distance: distance})
			}
		}
	}
	return p
}

// trails counts the overlaps whose records share bytes in a plan.
func (p problem) trails(offsets []int64) (n int) {
	for _, o := range p.overlaps {
		if from, to := offsets[o.From], offsets[o.To]; from < to+p.records[o.To].Size && to < from+p.records[o.From].Size {
			n++
		}
	}
	return n
}

// TestOverlaps: whatever is found with overlaps is a right plan within the limit, and not below
// the bound.
func TestOverlaps(t *testing.T) {
	linked, least := 0, 0
	property.Until(t, func() bool { return linked > 20 && least > 20 }, func(t *rapid.T) {
		p := trailing(t)
		c, err := NewChain(p.records, p.takeovers, p.overlaps)
		if err != nil {
			t.Fatal(err)
		}
		limit := c.Bound() + rapid.Int64Range(-2, 8).Draw(t, "more")
		if offsets, ok := c.Fit(t.Context(), limit, testNodes); ok {
			total, _, err := p.confirm(offsets)
			if err != nil || total > limit || total < c.Bound() {
				t.Fatalf("%d bytes, bound %d, limit %d: %v", total, c.Bound(), limit, err)
			}
			if c.Links() > 1 {
				linked += p.trails(offsets)
			}
		}
		known := c.Bound() + rapid.Int64Range(0, 12).Draw(t, "known")
		if total, offsets, ok := c.Least(t.Context(), known, testNodes, 0); ok {
			end, _, err := p.confirm(offsets)
			if err != nil || end != total || total >= known || total < c.Bound() {
				t.Fatalf("%d bytes, which end at %d, known %d, bound %d: %v", total, end, known, c.Bound(), err)
			}
			least += p.trails(offsets)
		}
	})
}

// TestBoundWithOverlaps: no plan of all records at once is below the bound of the links.
func TestBoundWithOverlaps(t *testing.T) {
	spared := 0
	property.Until(t, func() bool { return spared > 20 }, func(t *rapid.T) {
		p := trailing(t)
		p.takeovers = nil
		o := alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact, SearchNodes: 1000}
		plan, err := alloc.Solve(t.Context(), p.records, o.Permit(p.records, p.overlaps, nil))
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewChain(p.records, nil, p.overlaps)
		if err != nil || plan.Total < c.Bound() {
			t.Fatalf("%d bytes, bound %d: %v", plan.Total, c.Bound(), err)
		}
		if plan.Total < lifetime.MaxBreadth(p.records) {
			spared++
		}
	})
}

// TestConvolutionsTrail: each output of a row of convolutions trails its input by some rows, so
// that the whole row takes little more than one tensor: the first one lies at the top, and each
// other one begins a little below the one before it.
func TestConvolutionsTrail(t *testing.T) {
	const rows, size = 10, 480
	var p problem
	for i := range rows {
		p.records = append(p.records, lifetime.Record{First: i, Last: i + 1, Size: size, Align: 16})
		if i > 0 {
			p.overlaps = append(p.overlaps, lifetime.Overlap{From: i - 1, To: i, At: i, Distance: 40}) // 48 with alignment
		}
	}
	c := p.chain(t)
	if c.Bound() != size+48 || c.Links() < 2 {
		t.Fatalf("%d links of %d bytes", c.Links(), c.Bound())
	}
	total, offsets, ok := c.Least(t.Context(), 2*size, testNodes, 0)
	if end, _, err := p.confirm(offsets); !ok || err != nil || end != total || total != size+(rows-1)*48 || p.trails(offsets) != rows-1 {
		t.Errorf("%t, %d bytes at %v: %v", ok, total, offsets, err)
	}
}
