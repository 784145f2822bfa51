package tiles

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestCuts: both forms know the same places, in the same order.
func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var accesses []access
		var want []int64
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			lo := rapid.Int64Range(0, 300).Draw(t, "lo")
			m := access{lo: lo, hi: lo + rapid.Int64Range(1, 200).Draw(t, "size")}
			accesses, want = append(accesses, m), append(want, m.lo, m.hi)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		dense := bitsOf(accesses, slices.Max(want))
		far := int64(1) << 40
		for i := range accesses {
			accesses[i].lo += far
			accesses[i].hi += far
		}
		sparse := newCuts(accesses)
		if sparse.words != nil || dense.len() != len(want) || sparse.len() != len(want) {
			t.Fatalf("%d and %d places, want %d", dense.len(), sparse.len(), len(want))
		}
		for k, place := range want {
			if i, at := dense.index(place), dense.byteAt(k); i != k || at != place {
				t.Errorf("bits: place %d has index %d, index %d has place %d", place, i, k, at)
			}
			if i, at := sparse.index(far+place), sparse.byteAt(k); i != k || at != far+place {
				t.Errorf("a list: place %d has index %d, index %d has place %d", place, i, k, at)
			}
		}
	})
}

// TestMostLive: sums for each half step and sorted changes give the same peak.
func TestMostLive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var near, far []change
		for range rapid.IntRange(1, 20).Draw(t, "n") {
			first := rapid.IntRange(0, 10).Draw(t, "first")
			last, bytes := first+rapid.IntRange(1, 8).Draw(t, "length"), rapid.Int64Range(1, 9).Draw(t, "bytes")
			near = append(near, change{first, bytes}, change{last, -bytes})
			far = append(far, change{1000 * first, bytes}, change{1000 * last, -bytes})
		}
		near = append(near, make([]change, 20)...) // enough of them for the sums
		if a, b := mostLive(near), mostLive(far); a != b {
			t.Errorf("%d bytes, %d when sorted", a, b)
		}
	})
}

// TestCheckRefusesSteps: a step that is out of range is named.
func TestCheckRefusesSteps(t *testing.T) {
	for want, tensor := range map[string]lifetime.Tiled{
		"tensor 0, access 0: step 1073741823 is above the largest, 1073741822": {
			Size: 1, Accesses: []lifetime.Access{{Step: lifetime.MaxStep + 1, Write: true, Hi: 1}},
		},
		"tensor 0: it is in use as a whole from step -1 to 3, which is no time from 0 to 1073741822": {
			Size: 1, Whole: &lifetime.Steps{First: -1, Last: 3},
		},
	} {
		if err := Check(Problem{Tensors: []lifetime.Tiled{tensor}}, []int64{0}, 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
