package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A ramp is runs of bytes that touch and whose lives come one after the other, as rows do
// that are written and read in turn: later runs begin no earlier and end no earlier. A tensor
// may have the same ramp at several places, as each channel of an image has.
type ramp struct {
	runs []lifetime.Life // in order of life; the lowest begins at byte 0
	// falling says that the first run is the highest, not the lowest.
	falling bool
	// starts are the places, ascending. even says that they are step apart.
	starts []int64
	even   bool
	step   int64
	// first and last are when any of its bytes is in use, in half steps, both inclusive.
	first, last int
}

// rampsOf cuts runs, which are ascending, into ramps.
func rampsOf(dst []ramp, runs []lifetime.Life) []ramp {
	from := len(dst)
	for len(runs) > 0 {
		n, falling := stretch(runs)
		dst = add(dst, from, runs[:n], falling)
		runs = runs[n:]
	}
	for k := range dst[from:] {
		dst[from+k].measure()
	}
	return dst
}

// stretch returns how many runs make the longest ramp from the first on.
func stretch(runs []lifetime.Life) (n int, falling bool) {
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

// add adds a ramp, as a further place of one from index from on that is alike if there is one.
func add(dst []ramp, from int, runs []lifetime.Life, falling bool) []ramp {
	r := ramp{runs: slices.Clone(runs), falling: falling, starts: []int64{runs[0].Lo}}
	for k := range r.runs {
		r.runs[k].Lo -= runs[0].Lo
		r.runs[k].Hi -= runs[0].Lo
	}
	if falling {
		slices.Reverse(r.runs)
	}
	const lookedAt = 16 // where all ramps differ, a longer look costs more than it saves
	for k := len(dst) - 1; k >= from && k >= len(dst)-lookedAt; k-- {
		if dst[k].falling == falling && slices.Equal(dst[k].runs, r.runs) {
			dst[k].starts = append(dst[k].starts, r.starts[0])
			return dst
		}
	}
	return append(dst, r)
}

// measure sets what follows from the runs and the places.
func (r *ramp) measure() {
	r.even, r.first, r.last = true, r.runs[0].First, r.runs[len(r.runs)-1].Last
	if len(r.starts) > 1 {
		r.step = r.starts[1] - r.starts[0]
	}
	for k := 1; k < len(r.starts); k++ {
		r.even = r.even && r.starts[k]-r.starts[k-1] == r.step
	}
}
