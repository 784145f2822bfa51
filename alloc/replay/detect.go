package replay

import "golang.org/x/exp/slices"

// The values of [Iterations.Source].
const (
	ByAnnotations = "annotations"
	BySteps       = "step events"
	BySizes       = "the sizes repeat"
)

// iterations returns the events of each iteration of a device: between marks or step events, or
// periods of the sizes of requests and releases. It returns nil if there are fewer than two.
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

// between returns the iterations between consecutive ends. Events before the first end and after the
// last may be incomplete iterations, and are left out.
func between(source string, ends []int) *Iterations {
	it := &Iterations{Source: source, Reference: -1}
	for k := 1; k < len(ends); k++ {
		it.List = append(it.List, Iteration{First: ends[k-1] + 1, End: ends[k] + 1})
	}
	return it
}

// minPeriod is the least number of requests and releases of an iteration found by sizes. Shorter
// periods occur by chance.
const minPeriod = 4

// repeating finds the longest suffix of the trace, or prefix if that is longer, in which the sizes of
// requests and releases are periodic with at least two periods.
func (d *Device) repeating() *Iterations {
	// There may be millions of events, so the lists do not grow step by step.
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

// repetition returns the length and the period of the longest periodic prefix of tokens with at least
// two periods, or zeros. It takes linear time: fail is the failure function of Knuth, Morris and
// Pratt, and must have len(tokens)+1 elements.
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
		if p := i + 1 - int(k); 2*p <= i+1 && p >= minPeriod {
			length, period = i+1, p
		}
	}
	return length, period
}

// aligned moves the beginning of the first iteration to the point of a period with the fewest bytes in
// use, so that few blocks outlive an iteration.
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
