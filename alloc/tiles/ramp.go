package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A ramp is adjacent runs of bytes in order of life, such as rows that are written and read in
// turn: a later run begins no earlier and ends no earlier. A tensor may have the same ramp at
// several places, such as each channel of an image.
type ramp struct {
	runs []lifetime.Life // in order of life; the lowest run begins at byte 0
	// falling is set if the first run is the highest.
	falling bool
	// starts are the places, ascending. even is set if they are step bytes apart.
	starts []int64
	even   bool
	step   int64
	// first and last are half steps, both inclusive, between which any byte is in use.
	first, last int
}

// rampsOf cuts ascending runs into ramps and appends them.
func rampsOf(dst []ramp, runs []lifetime.Life) []ramp {
	from := len(dst)
	for len(runs) > 0 {
		n, falling := longestRamp(runs)
		dst = addRamp(dst, from, runs[:n], falling)
		runs = runs[n:]
	}
	for k := range dst[from:] {
		dst[from+k].measure()
	}
	return dst
}

// longestRamp returns the number of runs of the longest ramp that begins with the first run.
func longestRamp(runs []lifetime.Life) (n int, falling bool) {
	rise, fall := 1, 1
	for rise < len(runs) && runs[rise-1].Hi == runs[rise].Lo && notAfter(runs[rise-1], runs[rise]) {
		rise++
	}
	for fall < len(runs) && runs[fall-1].Hi == runs[fall].Lo && notAfter(runs[fall], runs[fall-1]) {
		fall++
	}
	return max(rise, fall), fall > rise
}

func notAfter(a, b lifetime.Life) bool { return a.First <= b.First && a.Last <= b.Last }

// addRamp appends a ramp, or a place to an equal ramp among the last ones of dst[from:].
func addRamp(dst []ramp, from int, runs []lifetime.Life, falling bool) []ramp {
	r := ramp{runs: slices.Clone(runs), falling: falling, starts: []int64{runs[0].Lo}}
	for k := range r.runs {
		r.runs[k].Lo -= runs[0].Lo
		r.runs[k].Hi -= runs[0].Lo
	}
	if falling {
		slices.Reverse(r.runs)
	}
	const lookedAt = 16 // comparing more costs time if all ramps differ
	for k := len(dst) - 1; k >= from && k >= len(dst)-lookedAt; k-- {
		if dst[k].falling == falling && slices.Equal(dst[k].runs, r.runs) {
			dst[k].starts = append(dst[k].starts, r.starts[0])
			return dst
		}
	}
	return append(dst, r)
}

// measure sets even, step, first and last.
func (r *ramp) measure() {
	r.even, r.first, r.last = true, r.runs[0].First, r.runs[len(r.runs)-1].Last
	if len(r.starts) > 1 {
		r.step = r.starts[1] - r.starts[0]
	}
	for k := 1; k < len(r.starts); k++ {
		r.even = r.even && r.starts[k]-r.starts[k-1] == r.step
	}
}
