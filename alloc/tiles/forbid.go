package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// forbidden returns the differences (offset of b) - (offset of a) for which two bytes in use at the
// same time coincide. Bytes [s, e) of a and [t, f) of b coincide if s-f < difference < e-t.
//
// The time is linear in the runs of each pair of ramps, and then linear in their places if both have
// the same step; otherwise it is linear in the pairs of places.
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
			base = lifetime.Union(between(base[:0], r.runs, q.runs))
			if all = spread(all, base, r, q); len(all) >= most {
				all = lifetime.Union(all)
				most = max(mergedAt, 2*len(all))
			}
		}
	}
	return lifetime.Union(all)
}

// mergedAt is the number of ranges that are collected before they are merged. Most of them overlap,
// so merging early saves memory.
const mergedAt = 1 << 16

// spread appends base, the differences that two ramps forbid at offset 0, for all of their places.
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

// between appends to an empty list what the runs of two ramps forbid. Runs are in order of life, so
// the runs of b that are in use with one of a are consecutive and touch, and their first and last
// indexes never fall from one run of a to the next.
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
