package mip

import "github.com/tflarena/tflarena/lifetime"

// unitOf returns the unit of a program of offsets in bytes: sizes, pinned offsets, the ends of gaps and
// the distances of pairs are multiples of it, and each alignment either is one too or divides it.
// Rounding every offset of a plan down to the unit keeps the plan valid: a record above another keeps
// its distance, which is a multiple of the unit, and alignments hold. So no optimal plan is lost. It is
// 1 without records.
func unitOf(records []lifetime.Record, pairs []pair) int64 {
	var unit int64
	for _, r := range records {
		if r.Size == 0 {
			continue
		}
		unit = divisor(unit, r.Size)
		if r.Pinned {
			unit = divisor(unit, r.Offset)
		}
		for _, g := range r.Gaps {
			unit = divisor(divisor(unit, g.Lo), g.Hi)
		}
	}
	for _, p := range pairs {
		unit = divisor(divisor(unit, max(p.lo, -p.lo)), max(p.hi, -p.hi))
	}
	unit = max(unit, 1)
	for changed := true; changed; {
		changed = false
		for _, r := range records {
			a := r.Alignment()
			if r.Size > 0 && unit%a != 0 && a%unit != 0 {
				unit, changed = divisor(unit, a), true
			}
		}
	}
	return unit
}

// unitOfSizes returns the greatest common divisor of the sizes, 1 without records.
func unitOfSizes(records []lifetime.Record) int64 {
	var unit int64
	for _, r := range records {
		unit = divisor(unit, r.Size)
	}
	return max(unit, 1)
}

// divisor returns the greatest common divisor of two non-negative numbers; divisor(0, b) is b.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
