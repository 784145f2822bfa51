package alloc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// A shape says what drawn problems look like. Few distinct sizes and positions make
// many ties, and ties are where plans differ.
type shape struct {
	records, positions, length int
	size                       int64
	aligns                     []int64
	pins                       bool
}

func drawShape(t *rapid.T, pins bool) shape {
	aligns := rapid.SampledFrom([][]int64{{0}, {1}, {4}, {1, 2, 4}, {3, 4}, {8, 16}, {6}}).Draw(t, "aligns")
	return shape{
		records:   rapid.SampledFrom([]int{3, 8, 14, 40}).Draw(t, "most records"),
		positions: rapid.SampledFrom([]int{1, 4, 12, 40}).Draw(t, "positions"),
		length:    rapid.SampledFrom([]int{1, 3, 10}).Draw(t, "longest"),
		size:      rapid.SampledFrom([]int64{1, 3, 10, 60}).Draw(t, "largest"),
		aligns:    aligns,
		pins:      pins && rapid.Bool().Draw(t, "pins"),
	}
}

// draw returns records that [Solve] accepts; least is the smallest size.
func (s shape) draw(t *rapid.T, least int64) Records {
	var records Records
	for range rapid.IntRange(0, s.records).Draw(t, "n") {
		r := lifetime.Record{
			First: rapid.IntRange(-2, s.positions).Draw(t, "first"),
			Size:  rapid.Int64Range(least, s.size).Draw(t, "size"),
			Align: rapid.SampledFrom(s.aligns).Draw(t, "align"),
		}
		r.Last = r.First + rapid.IntRange(0, s.length).Draw(t, "length")
		if s.pins && rapid.IntRange(0, 4).Draw(t, "pin") == 0 {
			r.Pinned = true
			r.Offset = r.Alignment() * rapid.Int64Range(0, 12).Draw(t, "offset")
		}
		if clearOfPins(records, r) {
			records = append(records, r)
		}
	}
	return records
}

func clearOfPins(records Records, r lifetime.Record) bool {
	for _, s := range records {
		if r.Pinned && s.Pinned && r.Overlaps(s) && r.Offset < s.Offset+s.Size && s.Offset < r.Offset+r.Size {
			return false
		}
	}
	return true
}

var offsetsDefinitions = map[string]func(Records) []int64{
	"naive": refNaiveOffsets,
	"greedy-by-size": func(r Records) []int64 {
		return refPlace(r, refOrder(len(r), func(i, j int) bool { return r[i].Size > r[j].Size }), refBestFit(r))
	},
	"greedy-by-breadth": func(r Records) []int64 { return refPlace(r, refProfiles(r, false), refBestFit(r)) },
	"greedy-in-order": func(r Records) []int64 {
		return refPlace(r, refOrder(len(r), func(i, j int) bool { return r[i].First < r[j].First }), refBestFit(r))
	},
	"strip-packing": func(r Records) []int64 {
		k := newRefKeys(r)
		return refStrip(r, refLexical(k.longer, k.larger, k.earlier))
	},
	"tflm-greedy": func(r Records) []int64 {
		return refPlace(r, refOrder(len(r), func(i, j int) bool {
			return r[i].Size > r[j].Size || r[i].Size == r[j].Size && i > j
		}), refFirstFit(r))
	},
	"litert-arena": func(r Records) []int64 { return refPlace(r, refLiteRTOrder(r), refLiteRT(r)) },

	"by-urgency":           refUrgency,
	"tvm-conflicts":        refConflicts,
	"strip-packing-orders": refStripOrders,
}

// searches are the strategies that have no definition but where they start: they may
// not be worse.
var searches = map[string]string{"hill-climb": "by-urgency", "strip-packing-search": "strip-packing-orders"}

var sharedDefinitions = map[string]func(Records) *refShared{
	"naive":                   refNaiveShared,
	"equality":                refEquality,
	"greedy-by-size":          refBySizeShared,
	"greedy-by-size-improved": refImproved,
	"greedy-by-size-distance": refDistance,
	"greedy-by-breadth":       func(r Records) *refShared { return refByBreadthShared(r, false) },
	"greedy-by-breadth-late":  func(r Records) *refShared { return refByBreadthShared(r, true) },
	"greedy-in-order":         refInOrder,
	"min-cost-flow":           refFlow,
}

func TestOffsetsMatchDefinitions(t *testing.T) {
	for _, s := range Strategies(Offsets) {
		if s.Name == Auto || s.Name == Exact || searches[s.Name] != "" {
			continue
		}
		define := offsetsDefinitions[s.Name]
		if define == nil {
			t.Errorf("strategy %s has no definition to compare with", s.Name)
			continue
		}
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := drawShape(t, true).draw(t, 1)
			plan := solveDrawn(t, records, Offsets, s.Name)
			if diff := cmp.Diff(define(records), plan.Offsets); diff != "" {
				t.Fatalf("definition - strategy +:\n%s", diff)
			}
		}))
	}
}

func TestSharedMatchDefinitions(t *testing.T) {
	for _, s := range Strategies(Shared) {
		if s.Name == Auto || s.Name == Exact {
			continue
		}
		define := sharedDefinitions[s.Name]
		if define == nil {
			t.Errorf("strategy %s has no definition to compare with", s.Name)
			continue
		}
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := drawShape(t, false).draw(t, 1)
			plan := solveDrawn(t, records, Shared, s.Name)
			want := define(records)
			if diff := cmp.Diff(want.of, append([]int{}, plan.Objects...)); diff != "" && len(records) > 0 {
				t.Fatalf("definition - strategy +:\n%s", diff)
			}
			if diff := cmp.Diff(want.sizes, plan.ObjectSizes); diff != "" {
				t.Fatalf("sizes: definition - strategy +:\n%s", diff)
			}
		}))
	}
}
