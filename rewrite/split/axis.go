package split

import (
	"math"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// axis describes a sliding window along the height or the width. Output o reads the ke rows
// from o*stride-before on; rows outside [0, in) are padding.
type axis struct {
	in, out, ke, stride int64
	// before and after are the rows of padding added by SAME, 0 for VALID.
	before, after int64
}

// newAxis describes a window along the height (0) or the width (1). It returns false if the
// sizes are inconsistent.
func newAxis(w op.Window, along int, in, out int64) (axis, bool) {
	slid, made, ok := w.Along(along, in)
	if !ok || made != out {
		return axis{}, false
	}
	a := axis{in: in, out: out, ke: slid.Reach + 1, stride: slid.Stride, before: slid.Before}
	if w.Padding == schema.PaddingSAME {
		a.after = op.SamePadding(in, a.ke, a.stride) - a.before
	}
	return a, in+a.before+a.after <= math.MaxInt32
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// window returns the rows under the windows of the given outputs, counted from the first row of
// padding. Rows after the last window, fewer than the stride, belong to it: excluding them
// would take an operator.
func (a axis) window(outs span) span {
	rows := span{outs.from * a.stride, (outs.to-1)*a.stride + a.ke}
	if outs.to == a.out {
		rows.to = a.before + a.in + a.after
	}
	return rows
}

// real returns the rows of [axis.window] that lie in the feature map.
func (a axis) real(window span) span { return window.shift(-a.before).within(a.in) }

// padded reports whether the windows of the given outputs reach outside the feature map.
func (a axis) padded(outs span) bool {
	w := a.window(outs)
	return a.real(w).len() < w.len()
}

// fits reports whether SAME on only the rows under the given outputs produces exactly these
// outputs.
func (a axis) fits(outs span) bool {
	w := a.window(outs)
	n := a.real(w).len()
	return n > 0 && ceilDiv(n, a.stride) == outs.len() &&
		op.SamePadding(n, a.ke, a.stride)/2 == max(0, a.before-w.from)
}

// maxCarry is the maximum number of extra rows [axis.carry] tries on each side.
const maxCarry = 32

// zeros are the rows of zero weights before and after a filter.
type zeros struct{ before, after int64 }

// carry returns rows of the feature map on which SAME computes at least outs correctly, with one of the
// given filters, and the outputs computed; the others may be wrong, because SAME pads there and the
// feature map continues. It takes as few rows as possible, and then the first filter: the padding added
// by SAME must align the windows with the whole feature map's.
func (a axis) carry(outs span, filters []zeros) (rows, computed span, filter zeros) {
	need := a.real(a.window(outs))
	limit := min(a.ke+a.stride, maxCarry)
	for spare := range 2*limit + 1 {
		for above := max(0, spare-limit); above <= min(spare, limit); above++ {
			try := span{need.from - above, need.to + spare - above}
			if try != try.within(a.in) {
				continue
			}
			for _, z := range filters {
				if got, ok := a.same(try, z); ok && got.covers(outs) {
					return try, got, z
				}
			}
		}
	}
	return span{0, a.in}, span{0, a.out}, zeros{}
}

// same returns the outputs of SAME on the given rows alone, with zeros around the filter, or false if
// its windows are not aligned with the whole feature map's.
func (a axis) same(rows span, z zeros) (span, bool) {
	start := rows.from + z.before - op.SamePadding(rows.len(), z.before+a.ke+z.after, a.stride)/2 + a.before
	if rows.empty() || start < 0 || start%a.stride != 0 {
		return span{}, false
	}
	outs := span{start / a.stride, start/a.stride + ceilDiv(rows.len(), a.stride)}
	return outs, outs.to <= a.out
}
