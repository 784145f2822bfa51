package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/distances"
	"github.com/tflarena/tflarena/lifetime"
)

// forbidden returns the differences offset b - offset a at which two bytes in use at the same
// time coincide. Bytes [s, e) of a and [t, f) of b do where s-f < difference < e-t.
//
// Two ramps at one place each take time linear in their runs, and two of the same step at
// many places take it once more for each place; steps that differ take it for each pair of
// places.
func forbidden(a, b []ramp) []lifetime.Range {
	var all []lifetime.Range
	var some [32]lifetime.Range // enough for most pairs
	base, most := some[:0], mergedAt
	for i := range a {
		for j := range b {
			r, q := &a[i], &b[j]
			if r.first > q.last || q.first > r.last {
				continue
			}
			base = distances.Merge(between(base[:0], r.runs, q.runs))
			if all = spread(all, base, r, q); len(all) >= most {
				all = distances.Merge(all)
				most = max(mergedAt, 2*len(all))
			}
		}
	}
	return distances.Merge(all)
}

// mergedAt is how many ranges are gathered before they are merged: most of them overlap, and all of
// them together would take far more memory than what is left.
const mergedAt = 1 << 16

// spread appends what two ramps forbid at all of their places.
func spread(dst, base []lifetime.Range, a, b *ramp) []lifetime.Range {
	step := max(a.step, b.step)
	if a.even && b.even && (len(a.starts) == 1 || a.step == step) && (len(b.starts) == 1 || b.step == step) {
		lowest, places := a.starts[0]-b.starts[len(b.starts)-1], int64(len(a.starts)+len(b.starts)-1)
		for _, r := range base {
			if r.Hi-r.Lo+1 >= step { // each place begins before the one below it ends
				dst = append(dst, lifetime.Range{Lo: r.Lo + lowest, Hi: r.Hi + lowest + (places-1)*step})
				continue
			}
			for k := range places {
				by := lowest + k*step
				dst = append(dst, lifetime.Range{Lo: r.Lo + by, Hi: r.Hi + by})
			}
		}
		return dst
	}
	for _, s := range a.starts {
		for _, q := range b.starts {
			for _, r := range base {
				dst = append(dst, lifetime.Range{Lo: r.Lo + s - q, Hi: r.Hi + s - q})
			}
		}
	}
	return dst
}

// between appends to an empty list what the runs of two ramps forbid, both in order of life. The runs of b
// that are in use with one of a follow one another, and so touch; and those in use with the
// next one of a begin no earlier and end no earlier.
func between(dst []lifetime.Range, a, b []lifetime.Life) []lifetime.Range {
	i, _ := slices.BinarySearchFunc(a, b[0].First, func(r lifetime.Life, first int) int { return r.Last - first })
	from, to, last := 0, 0, b[len(b)-1].Last
	for _, r := range a[i:] {
		if r.First > last {
			break
		}
		for from < len(b) && b[from].Last < r.First {
			from++
		}
		for to = max(to, from); to < len(b) && b[to].First <= r.Last; {
			to++
		}
		if from == to {
			continue
		}
		low, high := min(b[from].Lo, b[to-1].Lo), max(b[from].Hi, b[to-1].Hi)
		add := lifetime.Range{Lo: r.Lo - high + 1, Hi: r.Hi - low - 1}
		if k := len(dst) - 1; k >= 0 && add.Lo <= dst[k].Hi+1 && dst[k].Lo <= add.Hi+1 {
			dst[k] = lifetime.Range{Lo: min(dst[k].Lo, add.Lo), Hi: max(dst[k].Hi, add.Hi)}
		} else {
			dst = append(dst, add)
		}
	}
	return dst
}
