package inplace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// groupOffsets returns where the groups lie, and their total, in bytes. It is a fault where
// two records of a group do not agree about that.
func groupOffsets(t *rapid.T, m *Merged, offsets []int64) (list []int64, total int64) {
	for k, group := range m.Groups {
		at := offsets[group[0]] - m.Within(group[0])
		for _, i := range group {
			if offsets[i]-m.Within(i) != at {
				t.Fatalf("record %d lies %d bytes behind group %v at %d", i, offsets[i]-at, group, at)
			}
		}
		list, total = append(list, at), max(total, at+m.Records[k].Size)
	}
	return list, total
}

// wellGrouped checks that every record is in one group, that the record of a group is where
// those are that it stands for and alive when they are, and that takeovers hold together what
// is in one group and nothing else.
func wellGrouped(t *rapid.T, records []lifetime.Record, takeovers []lifetime.Takeover, offsets []int64, m *Merged) {
	at, _ := groupOffsets(t, m, offsets)
	group := make([]int, len(records))
	count := 0
	for k, members := range m.Groups {
		lo, hi := offsets[members[0]], int64(0)
		first, last := records[members[0]].First, records[members[0]].Last
		for _, i := range members {
			group[i], count = k, count+1
			lo, hi = min(lo, offsets[i]), max(hi, offsets[i]+records[i].Size)
			first, last = min(first, records[i].First), max(last, records[i].Last)
		}
		r := m.Records[k]
		if at[k] != lo || at[k]+r.Size != hi || r.First != first || r.Last != last || !slices.IsSorted(members) {
			t.Fatalf("%+v at %d for records %v, in bytes %d to %d at positions %d to %d", r, at[k], members, lo, hi, first, last)
		}
	}
	if count != len(records) {
		t.Fatalf("%d of %d records are in groups", count, len(records))
	}
	for _, x := range takeovers {
		same := group[x.From] == group[x.To]
		holds := offsets[x.To]-offsets[x.From] == x.Offset
		if holds && !same && records[x.From].Overlaps(records[x.To]) {
			t.Fatalf("%v holds between groups", x)
		}
		if slices.Contains(m.Taken, x) != (holds && same) {
			t.Fatalf("%v: holds: %t, in one group: %t, taken: %t", x, holds, same, !(holds && same))
		}
	}
	for k, members := range m.Groups {
		if reached := reach(records, members[0], m.Taken); len(reached) != len(members) {
			t.Fatalf("group %d is %v, but takeovers from %d reach %v", k, members, members[0], reached)
		}
	}
}

// reach returns the records that are reached from one by takeovers between records that are
// alive together.
func reach(records []lifetime.Record, from int, taken []lifetime.Takeover) map[int]bool {
	list := map[int]bool{from: true}
	for range records {
		for _, x := range taken {
			if records[x.From].Overlaps(records[x.To]) && (list[x.From] || list[x.To]) {
				list[x.From], list[x.To] = true, true
			}
		}
	}
	return list
}

// TestPlacedGroups: at any offsets, right or wrong, the groups are what lies as takeovers say.
func TestPlacedGroups(t *testing.T) {
	united := 0
	property.Until(t, func() bool { return united > 0 }, func(t *rapid.T) {
		records, takeovers := drawn(t)
		offsets := make([]int64, len(records))
		for i := range offsets {
			offsets[i] = 6 * rapid.Int64Range(0, 2).Draw(t, "offset") // as takeovers ask for
		}
		m := Placed(records, takeovers, offsets)
		wellGrouped(t, records, takeovers, offsets, m)
		united += len(records) - len(m.Groups)
	})
}

// TestPlacedPlans: of the offsets of a right plan it makes one that is right as well, and
// whose every takeover is known. Only what is loose, and keeps others out of bytes that it has
// no use for, may be in their way.
func TestPlacedPlans(t *testing.T) {
	united, tight := 0, 0
	property.Until(t, func() bool { return united > 0 && tight > 0 }, func(t *rapid.T) {
		records, takeovers := drawn(t)
		ways := TakeoverSets(records, takeovers)
		way := rapid.IntRange(0, len(ways)-1).Draw(t, "way")
		merged := Merge(records, ways[way], nil)
		plan, err := alloc.Solve(t.Context(), merged.Records, alloc.Options{Approach: alloc.Offsets})
		if err != nil {
			t.Fatal(err)
		}
		offsets := merged.Offsets(plan.Offsets)
		m := Placed(records, takeovers, offsets)
		wellGrouped(t, records, takeovers, offsets, m)
		for _, x := range merged.Taken {
			if records[x.From].Overlaps(records[x.To]) && !slices.Contains(m.Taken, x) {
				t.Fatalf("%v is forgotten", x)
			}
		}
		groups, total := groupOffsets(t, m, offsets)
		if diff := cmp.Diff(offsets, m.Offsets(groups)); diff != "" {
			t.Fatal(diff)
		}
		if err := check.Aliased(records, offsets, plan.Total, m.Taken, nil); err != nil {
			t.Fatal(err)
		}
		if held := lifetime.MaxBreadth(m.Held(records)); held > plan.Total {
			t.Fatalf("holds %d bytes in %d", held, plan.Total)
		}
		united += len(m.Taken)
		if m.Loose() {
			return
		}
		tight++
		if err := check.Offsets(m.Records, groups, total); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPlacedNeverMeet: what is never alive together is one only where others hold it together.
//
//	bytes       01234567
//	position 0  aaaa          a and c lie as a takeover says, that nobody asks for
//	         1  aaaabbbb      b lies elsewhere
//	         2  ccccbbbb
func TestPlacedNeverMeet(t *testing.T) {
	records := []lifetime.Record{{First: 0, Last: 1, Size: 4}, {First: 1, Last: 2, Size: 4}, {First: 2, Last: 2, Size: 4}}
	takeovers := []lifetime.Takeover{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 2}}
	for _, test := range []struct {
		offsets []int64
		groups  [][]int
		taken   int
	}{
		{[]int64{0, 4, 0}, [][]int{{0}, {1}, {2}}, 0},
		{[]int64{0, 0, 4}, [][]int{{0, 1}, {2}}, 1},
		{[]int64{0, 0, 0}, [][]int{{0, 1, 2}}, 3},
		{[]int64{0, 4, 4}, [][]int{{0}, {1, 2}}, 1},
	} {
		m := Placed(records, takeovers, test.offsets)
		if diff := cmp.Diff(test.groups, m.Groups); diff != "" || len(m.Taken) != test.taken {
			t.Errorf("%v: %d taken, groups (-want +got):\n%s", test.offsets, len(m.Taken), diff)
		}
	}
}

// TestPlacedWithin: the group of parts and what they are joined to begins at the lowest of
// them, and has gaps until all are there.
//
//	bytes       0123456789
//	position 0      bb
//	         1    aabb
//	         2    OOOO
func TestPlacedWithin(t *testing.T) {
	records := []lifetime.Record{{First: 0, Last: 2, Size: 2}, {First: 1, Last: 2, Size: 2}, {First: 2, Last: 2, Size: 4}}
	takeovers := []lifetime.Takeover{{From: 2, To: 0, Offset: 2}, {From: 2, To: 1}}
	m := Placed(records, takeovers, []int64{4, 2, 2})
	want := []lifetime.Record{{First: 0, Last: 2, Size: 4, Align: 1, Gaps: []lifetime.Gap{{First: 0, Last: 0, Lo: 2, Hi: 4}}}}
	if diff := cmp.Diff(want, m.Records); diff != "" || m.Within(0) != 2 || m.Within(1) != 0 || m.Within(2) != 0 {
		t.Errorf("%d, %d, %d (-want +got):\n%s", m.Within(0), m.Within(1), m.Within(2), diff)
	}
	if m := Placed(nil, nil, nil); len(m.Records)+len(m.Groups)+len(m.Taken) > 0 {
		t.Errorf("%v from nothing", m)
	}
}
