package split

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// every calls check for all small windows and all ranges of their outputs.
func every(check func(a axis, outs span)) {
	for in := int64(1); in <= 12; in++ {
		for k := int64(1); k <= 5; k++ {
			for stride := int64(1); stride <= 3; stride++ {
				for dilation := int64(1); dilation <= 2; dilation++ {
					everyOutput(in, k, stride, dilation, check)
				}
			}
		}
	}
}

func everyOutput(in, k, stride, dilation int64, check func(a axis, outs span)) {
	for _, same := range []bool{false, true} {
		ke := (k-1)*dilation + 1
		out := (in - ke + stride) / stride
		if same {
			out = (in + stride - 1) / stride
		}
		w := op.Window{Padding: schema.PaddingVALID, Kernel: [2]int64{k}, Stride: [2]int64{stride}, Dilation: [2]int64{dilation}}
		if same {
			w.Padding = schema.PaddingSAME
		}
		a, ok := newAxis(w, 0, in, out)
		if !ok {
			continue
		}
		for from := int64(0); from < out; from++ {
			for to := from + 1; to <= out; to++ {
				check(a, span{from, to})
			}
		}
	}
}

// The rows of outputs are those that their windows reach, and no more than the rows
// behind the last window that a stride would skip.
func TestWindow(t *testing.T) {
	every(func(a axis, outs span) {
		first, last := a.in, int64(-1)
		for o := outs.from; o < outs.to; o++ {
			for y := max(0, o*a.stride-a.before); y < min(a.in, o*a.stride-a.before+a.ke); y++ {
				first, last = min(first, y), max(last, y)
			}
		}
		got := a.real(a.window(outs))
		if got.from != first || got.to <= last || got.to > last+a.stride || outs.to < a.out && got.to != last+1 {
			t.Fatalf("%+v, outputs %v: rows %v, they reach %d to %d", a, outs, got, first, last)
		}
	})
}

// TestCarry: the windows of SAME on carried rows see the same elements as on the whole feature map, besides
// those with zero weights, and filters with zeros never take more rows.
func TestCarry(t *testing.T) {
	carried, fitting, saved, moved := 0, 0, 0, 0
	every(func(a axis, outs span) {
		if a.out != ceilDiv(a.in, a.stride) {
			return // VALID
		}
		most := a.in
		for _, filters := range [][]zeros{narrow, wider, shifted} {
			rows, computed, z := a.carry(outs, filters)
			if !(span{0, a.in}).covers(rows) || !computed.covers(outs) {
				t.Fatalf("%+v, outputs %v: rows %v give %v with %+v", a, outs, rows, computed, z)
			}
			if rows.len() > most {
				t.Fatalf("%+v, outputs %v: %d rows with one of %+v, %d without zeros", a, outs, rows.len(), filters, most)
			}
			switch {
			case len(filters) == 1:
				most = rows.len()
				if rows.len() < a.in {
					carried++
				}
			case rows.len() < most:
				saved++
			case z != zeros{} && computed.from == outs.from:
				moved++
			}
			sameWindows(t, a, outs, rows, computed, z)
		}
		if a.fits(outs) {
			fitting++
			sameWindows(t, a, outs, a.real(a.window(outs)), outs, zeros{})
		}
	})
	t.Logf("%d of fewer rows than all, %d without any to spare; zeros saved rows for %d and moved wrong rows behind %d", carried, fitting, saved, moved)
	if saved == 0 || moved == 0 {
		t.Error("zeros were never of use")
	}
}

// sameWindows compares the windows of outputs, with zeros around the filter, in a part of the rows with those
// in all of them.
func sameWindows(t *testing.T, a axis, outs, rows, computed span, z zeros) {
	t.Helper()
	n := (rows.len() + a.stride - 1) / a.stride
	if n != computed.len() {
		t.Fatalf("%+v: %v gives %d outputs, not %v", a, rows, n, computed)
	}
	before := max(0, (n-1)*a.stride+z.before+a.ke+z.after-rows.len())/2 - z.before
	for o := outs.from; o < outs.to; o++ {
		from := rows.from + (o-computed.from)*a.stride - before
		if whole := o*a.stride - a.before; from != whole {
			t.Fatalf("%+v, %v of %v: output %d looks at %d, not at %d", a, outs, rows, o, from, whole)
		}
		for y := from; y < from+a.ke; y++ {
			inside, seen := y >= 0 && y < a.in, y >= rows.from && y < rows.to
			if inside != seen {
				t.Fatalf("%+v, %v of %v: output %d sees row %d: %v, in the whole %v", a, outs, rows, o, y, seen, inside)
			}
		}
	}
}
