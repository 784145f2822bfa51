package split

import (
	"iter"

	"github.com/tflarena/tflarena/tflite"
)

// A ChannelRun is a run of operators of subgraph 0 that can be a stage cut along the
// channels.
type ChannelRun struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Out is the only tensor that anything outside the run uses, and what Last makes.
	// Several may come in.
	Out int
	// Most is how many pieces there can be, at least 2.
	Most int
}

// ChannelRuns returns all runs of up to longest operators that one tensor leaves and that
// can be cut along the channels, by First and then by Last; zero is for any number. They are
// short in most models, since nothing in a run may need all channels of what another
// operator of it makes, but a model of n operators may have n*(n+1)/2.
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
			// What cannot be described ends a run: nil.
			s.operators[i], _ = d.describeChannels(i)
		}
		for first := range s.operators {
			if !s.from(first, yield) {
				return
			}
		}
	}
}

// A channelScanner looks for runs that can be cut along the channels.
type channelScanner struct {
	scanner
	operators []*channelwise
	// longest is how many operators a run may have.
	longest int
}

// from yields the runs that begin with an operator, and returns false when there are to
// be no more.
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
		if op == nil || !s.take(op.operator) {
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
