package replay

import "golang.org/x/exp/slices"

// How iterations are found.
const (
	ByAnnotations = "annotations"
	BySteps       = "step events"
	BySizes       = "the sizes repeat"
)

// iterations returns the iterations of a device without what is known of them: between the ends
// that annotations or step events mark, or else where the sizes of requests and releases
// repeat. It returns nil where there are fewer than two.
func (d *Device) iterations() *Iterations {
	if ends := d.Marks; len(ends) > 1 {
		return between(ByAnnotations, ends)
	}
	var ends []int
	for i := range d.Events {
		if d.Events[i].Kind == Step {
			ends = append(ends, i)
		}
	}
	if len(ends) > 1 {
		if ends[0] > 0 {
			ends = append([]int{-1}, ends...) // the first iteration begins with the trace
		}
		return between(BySteps, ends)
	}
	return d.repeating()
}

// between makes iterations of what lies between ends. What is before the first end and behind
// the last is none: it may be part of an iteration only.
func between(source string, ends []int) *Iterations {
	it := &Iterations{Source: source, Reference: -1}
	for k := 1; k < len(ends); k++ {
		it.List = append(it.List, Iteration{First: ends[k-1] + 1, End: ends[k] + 1})
	}
	return it
}

// leastPeriod is the least number of requests and releases of an iteration that is found by
// sizes alone: any two blocks of the same size in turn repeat, too.
const leastPeriod = 4

// repeating finds the longest part of the trace up to its end, or if that is longer from its
// beginning, in which the sizes of requests and releases repeat at least twice.
func (d *Device) repeating() *Iterations {
	// There may be millions of events, so that no list of them should grow step by step.
	tokens, at := make([]int64, 0, len(d.Events)), make([]int32, 0, len(d.Events))
	for i := range d.Events {
		switch e := &d.Events[i]; e.Kind {
		case Alloc:
			tokens, at = append(tokens, e.Size<<1), append(at, int32(i))
		case Free:
			tokens, at = append(tokens, e.Size<<1|1), append(at, int32(i))
		}
	}
	fail := make([]int32, len(tokens)+1)
	length, period := repetition(tokens, fail)
	first := 0
	slices.Reverse(tokens)
	longer, p := repetition(tokens, fail)
	slices.Reverse(tokens)
	if longer >= length {
		length, period, first = longer, p, len(tokens)-longer
	}
	if period == 0 {
		return nil
	}
	it := &Iterations{Source: BySizes, Reference: -1}
	first, period = aligned(tokens, first, length, period)
	for k := first; k+period <= first+length && k+period <= len(tokens); k += period {
		end := len(d.Events)
		if k+period < len(tokens) {
			end = int(at[k+period])
		}
		it.List = append(it.List, Iteration{First: int(at[k]), End: end})
	}
	if len(it.List) < 2 {
		return nil
	}
	return it
}

// repetition returns the longest prefix of tokens that has a period, with at least two periods
// in it, and that period: 0 where there is none. It takes linear time (the failure function of
// Knuth, Morris and Pratt, for which fail has room).
func repetition(tokens []int64, fail []int32) (length, period int) {
	k := int32(0)
	for i := 1; i < len(tokens); i++ {
		for k > 0 && tokens[i] != tokens[k] {
			k = fail[k]
		}
		if tokens[i] == tokens[k] {
			k++
		}
		fail[i+1] = k
		if p := i + 1 - int(k); 2*p <= i+1 && p >= leastPeriod {
			length, period = i+1, p
		}
	}
	return length, period
}

// aligned moves the beginning of the first iteration to where the fewest bytes are in use within
// a period, so that few blocks live from one iteration to the next.
func aligned(tokens []int64, first, length, period int) (from, same int) {
	var use, least int64
	shift := 0
	for k := range min(period, length-2*period+1) {
		if use < least {
			least, shift = use, k
		}
		if t := tokens[first+k]; t&1 == 0 {
			use += t >> 1
		} else {
			use -= t >> 1
		}
	}
	return first + shift, period
}
