package inplace

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// drawnOverlaps returns overlaps between some of the records of which one ends where the other
// begins.
func drawnOverlaps(t *rapid.T, records []lifetime.Record) (overlaps []lifetime.Overlap) {
	for i, r := range records {
		for j, s := range records {
			if r.First < r.Last && r.Last == s.First && s.Size > 0 && rapid.Bool().Draw(t, "overlap") {
				distance := rapid.Int64Range(-r.Size, s.Size-1).Draw(t, "distance")
				overlaps = append(overlaps, lifetime.Overlap{From: i, To: j, At: r.Last, Distance: distance})
			}
		}
	}
	return overlaps
}

// scattered returns random offsets that keep the forbidden distances, and no other law.
func scattered(t *rapid.T, records []lifetime.Record, forbidden func(a, b int) []lifetime.Range) []int64 {
	const most = 48 // bytes
	offsets := make([]int64, len(records))
	for i, r := range records {
		var free []int64
		for at := int64(0); at < most; at += r.Alignment() {
			near := false
			for j := range i {
				near = near || slices.ContainsFunc(forbidden(j, i), func(r lifetime.Range) bool { return r.Lo <= at-offsets[j] && at-offsets[j] <= r.Hi })
			}
			if !near {
				free = append(free, at)
			}
		}
		if len(free) == 0 {
			t.Skip("the records fill the memory")
		}
		offsets[i] = rapid.SampledFrom(free).Draw(t, "at")
	}
	return offsets
}

// TestMergedOverlapsAreRight: any plan of the merged records, whether it is small or not, that
// keeps what their overlaps leave forbidden is one of all records by their own overlaps, as the
// checker sees it that knows nothing of merging.
func TestMergedOverlapsAreRight(t *testing.T) {
	moved := 0
	property.Until(t, func() bool { return moved > 150 }, func(t *rapid.T) {
		records, takeovers := drawn(t)
		overlaps := drawnOverlaps(t, records)
		m := Merge(records, takeovers, nil)
		left := m.Overlaps(records, overlaps)
		forbidden := lifetime.Forbidden(m.Records, left, nil)
		plan, err := alloc.Solve(t.Context(), m.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact, SearchNodes: 1000}.Permit(m.Records, left, nil))
		if err != nil {
			t.Fatal(err)
		}
		for k := range 8 {
			groups := plan.Offsets
			if k > 0 {
				groups = scattered(t, m.Records, forbidden)
			}
			offsets := m.Offsets(groups)
			if err := check.Aliased(records, offsets, heldHeight(records, offsets), m.Taken, overlaps); err != nil {
				t.Fatalf("%v\nof overlaps %+v of %+v", err, left, m.Records)
			}
			for _, o := range overlaps {
				from, to := offsets[o.From], offsets[o.To]
				if from < to+records[o.To].Size && to < from+records[o.From].Size && m.Within(o.From) != m.Within(o.To) {
					moved++
				}
			}
		}
	})
}

// heldHeight returns where the last record ends that holds a byte.
func heldHeight(records []lifetime.Record, offsets []int64) (end int64) {
	for i, r := range records {
		if r.Size > 0 {
			end = max(end, offsets[i]+r.Size)
		}
	}
	return end
}

// TestMergedOverlap: the distance of an overlap counts from the beginnings of the groups. If other records of
// a group hold bytes at the operator, the output lies below those beside its input, and the input above
// those beside its output.
func TestMergedOverlap(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []lifetime.Record
		within  lifetime.Takeover
		overlap lifetime.Overlap
		want    []lifetime.Overlap
	}{
		{
			// a lies within b, 6 bytes behind its beginning, and c, which begins 2 bytes before a or further ahead,
			// may begin at byte 4 of b.
			name:    "alone",
			records: []lifetime.Record{{First: 0, Last: 1, Size: 4}, {First: 0, Last: 0, Size: 10}, {First: 1, Last: 2, Size: 6}},
			within:  lifetime.Takeover{From: 1, To: 0, Offset: 6},
			overlap: lifetime.Overlap{From: 0, To: 2, At: 1, Distance: 2},
			want:    []lifetime.Overlap{{From: 0, To: 1, At: 1, Distance: -4}},
		},
		{
			// The same while b is needed.
			name:    "beside all of the input",
			records: []lifetime.Record{{First: 0, Last: 1, Size: 4}, {First: 0, Last: 1, Size: 10}, {First: 1, Last: 2, Size: 6}},
			within:  lifetime.Takeover{From: 1, To: 0, Offset: 6},
			overlap: lifetime.Overlap{From: 0, To: 2, At: 1, Distance: 2},
		},
		{
			// a is the first 5 bytes of b, of which all from the third on are needed later: c may have the first two.
			name: "beside the end of the input",
			records: []lifetime.Record{
				{First: 0, Last: 1, Size: 5},
				{First: 0, Last: 2, Size: 10, Gaps: []lifetime.Gap{{First: 1, Last: 2, Lo: 2, Hi: 10}}},
				{First: 1, Last: 2, Size: 6},
			},
			within:  lifetime.Takeover{From: 1, To: 0},
			overlap: lifetime.Overlap{From: 0, To: 2, At: 1, Distance: -3},
			want:    []lifetime.Overlap{{From: 0, To: 1, At: 1, Distance: 4}},
		},
		{
			// c is the end of b, of which the first 4 bytes are written: a may begin where c does.
			name: "beside the beginning of the output",
			records: []lifetime.Record{
				{First: 0, Last: 1, Size: 6},
				{First: 0, Last: 2, Size: 10, Gaps: []lifetime.Gap{{First: 0, Last: 1, Lo: 0, Hi: 4}}},
				{First: 1, Last: 2, Size: 6},
			},
			within:  lifetime.Takeover{From: 1, To: 2, Offset: 4},
			overlap: lifetime.Overlap{From: 0, To: 2, At: 1, Distance: -3},
			want:    []lifetime.Overlap{{From: 0, To: 1, At: 1, Distance: 4}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Merge(c.records, []lifetime.Takeover{c.within}, nil)
			got := m.Overlaps(c.records, []lifetime.Overlap{c.overlap})
			if len(m.Records) != 2 || !slices.Equal(got, c.want) {
				t.Errorf("%+v in %d groups, want %+v", got, len(m.Records), c.want)
			}
		})
	}
}
