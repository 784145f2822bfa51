package inplace

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// drawn returns random records and takeovers between those that may have some.
func drawn(t *rapid.T) ([]lifetime.Record, []lifetime.Takeover) {
	var records []lifetime.Record
	for range rapid.IntRange(1, 12).Draw(t, "records") {
		first := rapid.IntRange(0, 8).Draw(t, "first")
		r := lifetime.Record{
			First: first, Last: first + rapid.IntRange(0, 4).Draw(t, "length"),
			Size: rapid.Int64Range(0, 3).Draw(t, "size") * rapid.SampledFrom([]int64{1, 6}).Draw(t, "unit"), Align: rapid.SampledFrom([]int64{0, 2, 3}).Draw(t, "align"),
		}
		if r.First < r.Last && rapid.Bool().Draw(t, "gap") {
			at := rapid.IntRange(r.First+1, r.Last).Draw(t, "read")
			lo := rapid.Int64Range(0, r.Size).Draw(t, "lo")
			r = r.Remaining([]lifetime.Read{{Position: at, Lo: 0, Hi: r.Size}, {Position: r.Last, Lo: lo, Hi: r.Size}})
		}
		records = append(records, r)
	}
	var takeovers []lifetime.Takeover
	for i, r := range records {
		for j, s := range records {
			if i != j && r.Size >= s.Size && r.Last >= s.First && rapid.Bool().Draw(t, "permit") {
				offset := rapid.Int64Range(0, r.Size-s.Size).Draw(t, "offset") / 6 * 6 // of both alignments
				if rapid.Bool().Draw(t, "around") {
					takeovers = append(takeovers, lifetime.Takeover{From: j, To: i, Offset: -offset})
					continue
				}
				takeovers = append(takeovers, lifetime.Takeover{From: i, To: j, Offset: offset})
			}
		}
	}
	return records, takeovers
}

// TestMergedPlansAreRight: a plan of the merged records is one of all records, as the
// checker sees it that knows the takeovers and nothing of merging; and where records have
// the same size the breadth is no larger.
func TestMergedPlansAreRight(t *testing.T) {
	merged := 0
	property.Until(t, func() bool { return merged > 0 }, func(t *rapid.T) {
		records, takeovers := drawn(t)
		m := Merge(records, takeovers, nil)
		if len(m.Taken) < len(records)-len(m.Records) {
			t.Fatalf("%d takeovers leave %d of %d records", len(m.Taken), len(m.Records), len(records))
		}
		merged += len(m.Taken)
		plan, err := alloc.Solve(context.Background(), m.Records, alloc.Options{Approach: alloc.Offsets})
		if err != nil {
			t.Fatal(err)
		}
		if err := check.Aliased(records, m.Offsets(plan.Offsets), plan.Total, m.Taken, nil); err != nil {
			t.Fatal(err)
		}
		bound := lifetime.MaxBreadth(records)
		if whole := Merge(records, Whole(records, takeovers), nil); lifetime.MaxBreadth(whole.Records) > bound {
			t.Fatalf("merging records of one size raised the breadth above %d", bound)
		}
	})
}

// TestMergedGapAtTheEnd: a record that holds nothing at its end holds nothing there when merged.
func TestMergedGapAtTheEnd(t *testing.T) {
	records := []lifetime.Record{
		{First: 2, Last: 4, Size: 1, Gaps: []lifetime.Gap{{First: 4, Last: 4}}}, {First: 2, Last: 2, Size: 1}, {First: 4, Last: 4, Size: 12},
	}
	m := Merge(records, []lifetime.Takeover{{From: 0, To: 1}}, nil)
	if got := lifetime.MaxBreadth(m.Records); len(m.Records) != 2 || got != 12 {
		t.Errorf("%d records of breadth %d", len(m.Records), got)
	}
}

// TestMergeOfMany: takeovers that lead nowhere, between two large groups, take no time that
// grows with the cube of their number.
func TestMergeOfMany(t *testing.T) {
	const n = 4000
	// A tensor with parts at even bytes, which outlive it, and one that is joined from parts
	// at odd bytes, and would be from the others too, if not for the very last of them.
	records := []lifetime.Record{{First: 0, Last: 1, Size: 2 * n}, {First: 22, Last: 30, Size: 2 * n}}
	var takeovers []lifetime.Takeover
	part := func(whole, first, last int, at int64) {
		takeovers = append(takeovers, lifetime.Takeover{From: whole, To: len(records), Offset: at})
		records = append(records, lifetime.Record{First: first, Last: last, Size: 1})
	}
	for i := range int64(n) {
		part(0, 1, 22, 2*i)
	}
	part(0, 1, 21, 2*n-1)
	for i := range int64(n) {
		part(1, 21, 30, 2*i+1)
	}
	for i := range int64(n) {
		takeovers = append(takeovers, lifetime.Takeover{From: 1, To: 2 + int(i), Offset: 2 * i})
	}
	m := Merge(records, takeovers, nil)
	if len(m.Records) != 2 {
		t.Errorf("%d records of %d", len(m.Records), len(records))
	}
}

func TestMergeLeavesAlone(t *testing.T) {
	two := []lifetime.Record{{First: 0, Last: 1, Size: 4}, {First: 1, Last: 2, Size: 4}}
	take := []lifetime.Takeover{{From: 0, To: 1}}
	for name, change := range map[string]func(r *lifetime.Record){
		"pinned": func(r *lifetime.Record) { r.Pinned = true },
	} {
		records := append([]lifetime.Record(nil), two...)
		change(&records[1])
		if m := Merge(records, take, nil); len(m.Records) != 2 {
			t.Errorf("%s: merged", name)
		}
	}
	if m := Merge(two, []lifetime.Takeover{{From: 0, To: 1, Offset: 2}}, nil); len(m.Records) != 2 {
		t.Error("merged what lies neither within nor around the other")
	}
	if m := Merge(two, take, func(i int) bool { return i == 1 }); len(m.Records) != 2 {
		t.Error("merged what is to be kept")
	}
	if m := Merge(two, take, nil); len(m.Records) != 1 || m.Records[0].Last != 2 {
		t.Errorf("got %v", m.Records)
	}
}

// TestChainsMergeInLinearTime: along a chain in which each output takes over its input, few pairs of
// records are compared, however long the chain is.
func TestChainsMergeInLinearTime(t *testing.T) {
	const n = 100_000
	var records []lifetime.Record
	var takeovers []lifetime.Takeover
	for i := range n {
		records = append(records, lifetime.Record{First: i, Last: i + 1, Size: 8})
		if i > 0 {
			takeovers = append(takeovers, lifetime.Takeover{From: i - 1, To: i})
		}
	}
	m := newMerger(records, takeovers)
	for _, t := range takeovers {
		m.join(t)
	}
	if compared := maxComparisons - m.comparisonsLeft; compared > 4*n || len(m.members[m.group[0]]) != n {
		t.Errorf("%d pairs were compared, and %d of %d records are one", compared, len(m.members[m.group[0]]), n)
	}
}
