package split

import (
	"iter"

	"github.com/tflarena/tflarena/tflite"
)

// ChannelRun is a run of operators of subgraph 0 that can be a stage split along the channels.
type ChannelRun struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Out is the output of Last and the only tensor used outside the run. The run may have
	// several inputs.
	Out int
	// Most is the maximum number of slices, at least 2.
	Most int
}

// ChannelRuns returns all single-output runs of up to longest operators that can be split along
// the channels, ordered by First and then by Last; longest 0 means no limit. They are short in
// most models, since no operator of a run may need all channels of another's output, but a
// model of n operators may have n*(n+1)/2.
func ChannelRuns(m *tflite.Model, longest int) iter.Seq[ChannelRun] {
	return func(yield func(ChannelRun) bool) {
		d, err := newDescriber(m)
		if err != nil {
			return
		}
		s := &channelScanner{scanner: scanner{describer: d}, operators: make([]*channelwise, len(d.sub.Operators)), longest: longest}
		if longest == 0 {
			s.longest = len(d.sub.Operators)
		}
		for i := range s.operators {
			// An operator that cannot be described is nil and ends a run.
			s.operators[i], _ = d.describeChannels(i)
		}
		for first := range s.operators {
			if !s.from(first, yield) {
				return
			}
		}
	}
}

// channelScanner finds runs that can be split along the channels.
type channelScanner struct {
	scanner
	operators []*channelwise
	// longest is the maximum number of operators in a run.
	longest int
}

// from yields the runs that begin with an operator. It returns false to stop the iteration.
func (s *channelScanner) from(first int, yield func(ChannelRun) bool) bool {
	if s.whole[first] {
		return true
	}
	s.in, s.uses, s.open = map[int]bool{}, map[int]int{}, 0
	var units channelUnits
	for last := first; last < min(first+s.longest, len(s.operators)); last++ {
		if s.whole[last] {
			continue
		}
		op := s.operators[last]
		if op == nil || !s.addOperator(op.operator) {
			return true
		}
		units.with(op)
		if units.most() < 2 {
			return true
		}
		r := ChannelRun{First: first, Last: last, Out: op.Outputs[0], Most: int(units.most())}
		if s.open == 1 && !yield(r) {
			return false
		}
	}
	return true
}
