package check

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime"
)

// TestOverlap: an output may trail its dying input by the distance or more, and lie anywhere
// clear of it; at other positions, and with other records, nothing changes.
func TestOverlap(t *testing.T) {
	dying, made := rec(16, 0, 1), rec(12, 1, 2)
	trail := lifetime.Overlap{From: 0, To: 1, At: 1, Distance: 4}
	for _, test := range []struct {
		name     string
		records  []lifetime.Record
		overlaps []lifetime.Overlap
		offsets  []int64
		total    int64
		law      Law
	}{
		{"at the distance", []lifetime.Record{dying, made}, []lifetime.Overlap{trail}, []int64{4, 0}, 20, ""},
		{"further", []lifetime.Record{dying, made}, []lifetime.Overlap{trail}, []int64{9, 0}, 25, ""},
		{"clear above", []lifetime.Record{dying, made}, []lifetime.Overlap{trail}, []int64{0, 16}, 28, ""},
		{"nearer", []lifetime.Record{dying, made}, []lifetime.Overlap{trail}, []int64{3, 0}, 19, Overlap},
		{"ahead of it", []lifetime.Record{dying, made}, []lifetime.Overlap{trail}, []int64{0, 4}, 16, Overlap},
		{"behind its start", []lifetime.Record{dying, made}, []lifetime.Overlap{{From: 0, To: 1, At: 1, Distance: -2}}, []int64{0, 2}, 16, ""},
		{"too far behind its start", []lifetime.Record{dying, made}, []lifetime.Overlap{{From: 0, To: 1, At: 1, Distance: -2}}, []int64{0, 3}, 16, Overlap},
		{"no leave", []lifetime.Record{dying, made}, nil, []int64{4, 0}, 20, Overlap},
		{"the wrong way round", []lifetime.Record{dying, made}, []lifetime.Overlap{{From: 1, To: 0, At: 1, Distance: 4}}, []int64{0, 4}, 16, Overlap},
		{"read again later", []lifetime.Record{rec(16, 0, 2), made}, []lifetime.Overlap{trail}, []int64{4, 0}, 20, Overlap},
		{"another record there", []lifetime.Record{dying, made, rec(4, 1, 1)}, []lifetime.Overlap{trail}, []int64{4, 0, 12}, 20, Overlap},
	} {
		err := Aliased(test.records, test.offsets, test.total, nil, test.overlaps)
		if test.law == "" && err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.law != "" {
			t.Run(test.name, func(t *testing.T) { wantLaw(t, err, test.law) })
		}
	}
}
