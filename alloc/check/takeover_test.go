package check

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

func TestAliasedLaws(t *testing.T) {
	records := []lifetime.Record{rec(8, 0, 1), rec(8, 1, 2), rec(8, 1, 1)}
	permit := []lifetime.Takeover{{From: 0, To: 1}}
	for _, test := range []struct {
		name    string
		offsets []int64
		total   int64
		permit  []lifetime.Takeover
		law     Law
	}{
		{"taken over", []int64{0, 0, 8}, 16, permit, ""},
		{"taken over, named the other way round", []int64{0, 0, 8}, 16, []lifetime.Takeover{{From: 1, To: 0}}, ""},
		{"within the other", []int64{0, 4, 16}, 24, []lifetime.Takeover{{From: 0, To: 1, Offset: 4}}, ""},
		{"within the other, seen from there", []int64{0, 4, 16}, 24, []lifetime.Takeover{{From: 1, To: 0, Offset: -4}}, ""},
		{"elsewhere within the other", []int64{0, 3, 16}, 24, []lifetime.Takeover{{From: 0, To: 1, Offset: 4}}, Overlap},
		{"nothing taken over", []int64{0, 8, 16}, 24, permit, ""},
		{"no permit", []int64{0, 0, 8}, 16, nil, Overlap},
		{"at another offset", []int64{0, 4, 16}, 24, permit, Overlap},
		{"a third in the same place", []int64{0, 0, 0}, 8, permit, Overlap},
		{"the wrong one", []int64{8, 0, 8}, 16, permit, Overlap},
		{"a wrong total", []int64{0, 0, 8}, 17, permit, Total},
		{"too few", []int64{0, 0}, 8, permit, Length},
		{"below the arena", []int64{-1, 0, 8}, 16, permit, NegativeOffset},
	} {
		err := Aliased(records, test.offsets, test.total, test.permit, nil)
		if test.law == "" && err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.law != "" {
			t.Run(test.name, func(t *testing.T) { wantLaw(t, err, test.law) })
		}
	}
}

// TestAliasedWithoutTakeovers: without any, Aliased equals Offsets.
func TestAliasedWithoutTakeovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t)
		offsets := make([]int64, len(records))
		for i := range records {
			offsets[i] = rapid.Int64Range(0, 20).Draw(t, "offset")
		}
		total := largestEnd(records, offsets)
		if a, b := Aliased(records, offsets, total, nil, nil), Offsets(records, offsets, total); (a == nil) != (b == nil) {
			t.Fatalf("%v against %v", a, b)
		}
	})
}
