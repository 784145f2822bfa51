package inplace

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestWays: every list is of the takeovers given, each shorter than the one before it, and
// the last never raises the breadth.
func TestWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, takeovers := drawn(t)
		known := map[lifetime.Takeover]bool{}
		for _, x := range takeovers {
			known[x] = true
		}
		ways := TakeoverSets(records, takeovers)
		for i, way := range ways {
			if i > 0 && len(way) >= len(ways[i-1]) {
				t.Fatalf("%d takeovers behind %d", len(way), len(ways[i-1]))
			}
			for _, x := range way {
				if !known[x] {
					t.Fatalf("%v is new", x)
				}
			}
		}
		merged := Narrowest(records, ways, nil)
		for i := range merged[1:] {
			if lifetime.MaxBreadth(merged[i].Records) > lifetime.MaxBreadth(merged[i+1].Records) {
				t.Fatal("not by breadth")
			}
		}
		if lifetime.MaxBreadth(merged[0].Records) > lifetime.MaxBreadth(records) {
			t.Fatal("the narrowest is wider than no merging")
		}
	})
}

// TestSlicesWithoutJoins: there is a list that keeps strips within the tensor that they are cut from, and no
// finished strip where the joined tensor will be, which may have to be elsewhere.
func TestSlicesWithoutJoins(t *testing.T) {
	records := []lifetime.Record{
		{First: 0, Last: 2, Size: 8}, // the strips a and b are cut from it
		{First: 1, Last: 2, Size: 4}, // a
		{First: 3, Last: 5, Size: 4}, // b
		{First: 2, Last: 6, Size: 4}, // made of a
		{First: 5, Last: 6, Size: 4}, // made of b
		{First: 6, Last: 7, Size: 8}, // both, joined
	}
	cuts := []lifetime.Takeover{{From: 0, To: 1}}
	joins := []lifetime.Takeover{{From: 5, To: 3}, {From: 5, To: 4, Offset: 4}}
	for _, way := range TakeoverSets(records, append(cuts, joins...)) {
		if len(way) == 1 && way[0] == cuts[0] {
			return
		}
	}
	t.Error("no list has just the slices")
}
