package lifetime

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"
)

// trailing is the definition of an overlap.
func trailing(records []Record, o Overlap, offsets []int64) bool {
	return offsets[o.From]-offsets[o.To] >= o.Distance
}

// TestForbidden compares with the definitions, for all distances: two records share no byte,
// except at the operator of an overlap that they obey.
func TestForbidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) int64 { return rapid.Int64Range(0, 9).Draw(t, name) }
		records := []Record{{First: 0, Last: 3, Size: size("from")}, {First: 3, Last: 5, Size: size("to")}}
		if rapid.Bool().Draw(t, "gap") {
			lo := rapid.Int64Range(0, records[0].Size).Draw(t, "lo")
			records[0].Gaps = []Gap{{First: 2, Last: 3, Lo: lo, Hi: records[0].Size}}
		}
		o := Overlap{From: 0, To: 1, At: 3, Distance: rapid.Int64Range(-9, 9).Draw(t, "distance")}
		align := rapid.SampledFrom([]int64{0, 1, 2, 3}).Draw(t, "align")
		records[0].Align, records[1].Align = align, align
		if rapid.Bool().Draw(t, "longer") {
			records[0].Last = 4
		}
		if rapid.Bool().Draw(t, "swapped") {
			records[0], records[1] = records[1], records[0]
			o.From, o.To = 1, 0
		}
		var takeovers []Takeover
		if rapid.Bool().Draw(t, "takeover") {
			takeovers = []Takeover{{From: 0, To: 1, Offset: rapid.Int64Range(-9, 9).Draw(t, "offset")}}
			if rapid.Bool().Draw(t, "backwards") {
				takeovers[0] = Takeover{From: 1, To: 0, Offset: -takeovers[0].Offset}
			}
		}
		forbidden := Forbidden(records, []Overlap{o}, takeovers)(0, 1)
		for i, r := range forbidden {
			if r.Lo > r.Hi || i > 0 && r.Lo <= forbidden[i-1].Hi+1 {
				t.Fatalf("ranges %v are not apart", forbidden)
			}
		}
		for d := int64(-12); d <= 12; d++ {
			if d%max(align, 1) != 0 {
				continue // no two offsets have this difference
			}
			offsets := []int64{0, d}
			allowed := !Meet(records[0], records[1], 0, d)
			if records[o.From].Last == o.At && trailing(records, o, offsets) {
				allowed = true
			}
			for _, k := range takeovers {
				allowed = allowed || offsets[k.To]-offsets[k.From] == k.Offset
			}
			if is := slices.ContainsFunc(forbidden, func(r Range) bool { return r.Lo <= d && d <= r.Hi }); is == allowed {
				t.Fatalf("%v %v: distance %d is in %v: %t", records, o, d, forbidden, is)
			}
		}
	})
}

// TestLeastBreadth: no plan of an operator, its inputs and its output goes below the bound, and
// with one input it is reached.
func TestLeastBreadth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := []Record{{First: 1, Last: 2, Size: rapid.Int64Range(1, 5).Draw(t, "to")}}
		var overlaps []Overlap
		for i := range rapid.IntRange(1, 2).Draw(t, "inputs") {
			records = append(records, Record{First: 0, Last: 1, Size: rapid.Int64Range(1, 5).Draw(t, "from")})
			overlaps = append(overlaps, Overlap{From: i + 1, To: 0, At: 1, Distance: rapid.Int64Range(-5, 5).Draw(t, "distance")})
		}
		bound, least := LeastBreadth(records, overlaps), int64(99)
		forbidden := Forbidden(records, overlaps, nil)
		offsets := make([]int64, len(records))
		var place func(i int)
		place = func(i int) {
			if i == len(records) {
				least = min(least, end(records, offsets))
				return
			}
			for offsets[i] = 0; offsets[i] <= 12; offsets[i]++ {
				if keeps(forbidden, offsets, i) {
					place(i + 1)
				}
			}
		}
		place(0)
		if bound > least || len(overlaps) == 1 && bound != least {
			t.Fatalf("bound %d, least %d: %v %v", bound, least, records, overlaps)
		}
	})
}

func end(records []Record, offsets []int64) (bytes int64) {
	for i, r := range records {
		bytes = max(bytes, offsets[i]+r.Size)
	}
	return bytes
}

// keeps reports whether record i keeps its distances from those before it.
func keeps(forbidden func(a, b int) []Range, offsets []int64, i int) bool {
	for j := range i {
		for _, r := range forbidden(j, i) {
			if d := offsets[i] - offsets[j]; r.Lo <= d && d <= r.Hi {
				return false
			}
		}
	}
	return true
}
