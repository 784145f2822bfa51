package rules_test

import (
	"math"
	"testing"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// overlapOf returns the overlap of the tensors of a trial.
func (x *trial) overlapOf(v *rules.View) (lifetime.Overlap, bool) {
	for _, o := range v.Overlaps(rules.DiagonalAlias) {
		if v.Usage.Places[o.From].Tensor == x.from && v.Usage.Places[o.To].Tensor == len(x.in)+x.to {
			return o, true
		}
	}
	return lifetime.Overlap{}, false
}

// TestOverlapsAreExact: distances match a simulation of the kernel's reads and writes, one
// element after another.
func TestOverlapsAreExact(t *testing.T) {
	trials := 8000
	if testing.Short() {
		trials = 1000
	}
	found, negative := 0, 0
	drawn := map[schema.BuiltinOperator]bool{}
	for i := range trials {
		x := draw(t, i)
		drawn[x.code] = true
		v := view(t, x.model(0), "tflm")
		o, ok := x.overlapOf(v)
		from, to := (x.in[x.from].bytes()+15)/16*16, (x.out[x.to].bytes()+15)/16*16
		want := max(x.distance(), -from)
		switch {
		case ok != (rounded(want) < to && !x.apart):
			t.Fatalf("trial %d, %v: found %v (%d), the distance is %d of %d bytes", i, x.code, ok, o.Distance, want, to)
		case ok && o.Distance != want:
			t.Fatalf("trial %d, %v: distance %d, it is %d: %+v", i, x.code, o.Distance, want, x)
		case ok:
			if found++; want < 0 {
				negative++
			}
			if x.spoils(o.Distance) || o.At != 1 {
				t.Fatalf("trial %d, %v: %+v", i, x.code, o)
			}
		}
	}
	for code := range schema.EnumNamesBuiltinOperator {
		if rules.WritingOf(code) != "" && !drawn[code] && !testing.Short() {
			t.Errorf("no trial is of %v, whose order is in the table of kernels", code)
		}
	}
	t.Logf("%d overlaps of %d trials, %d of them negative", found, trials, negative)
	if found < trials/2 || negative < trials/50 {
		t.Errorf("%d overlaps of %d trials, %d of them negative", found, trials, negative)
	}
}

// rounded rounds up a distance like offsets in a file.
func rounded(distance int64) int64 { return int64(math.Ceil(float64(distance)/16)) * 16 }
