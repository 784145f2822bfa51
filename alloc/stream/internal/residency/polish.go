package residency

import "context"

// descend swaps up to two resident layers with up to two streamed ones until no swap makes the run
// faster or a number of nodes is spent.
func (s *Search) descend(ctx context.Context, nodes int64) {
	s.local.Resident = append(s.local.Resident[:0], s.now.Resident...)
	s.local.Latency = s.now.Latency
	end := s.Nodes + nodes
	for ctx.Err() == nil && s.Nodes < end && s.polish(end) {
		copy(s.local.Resident, s.now.Resident)
		s.local.Latency = s.now.Latency
	}
	copy(s.now.Resident, s.local.Resident)
	s.now.Latency = s.local.Latency
	if s.now.Latency < s.best.Latency {
		s.keep()
	}
}

// polish makes the first swap that makes the run faster, and reports whether there is one.
func (s *Search) polish(end int64) bool {
	var in, out []int
	for _, i := range s.eval.Owners {
		if s.now.Resident[i] {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	for _, size := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}} {
		found := eachSubset(in, size[0], func() bool {
			return eachSubset(out, size[1], func() bool { return s.Nodes >= end || s.faster() }, s.toggle)
		}, s.toggle)
		if found {
			return s.now.Latency < s.local.Latency
		}
	}
	return false
}

// faster reports whether s.now.Resident is faster than s.local, and sets s.now.Latency if so.
func (s *Search) faster() bool {
	latency := s.latency()
	if latency >= s.local.Latency {
		return false
	}
	s.now.Latency = latency
	return true
}

func (s *Search) toggle(i int) { s.now.Resident[i] = !s.now.Resident[i] }

// eachSubset toggles every subset of size elements in turn, calls visit, and toggles it back. It stops
// when visit returns true, with the subset toggled.
func eachSubset(of []int, size int, visit func() bool, toggle func(int)) bool {
	if size == 0 {
		return visit()
	}
	for k, i := range of {
		toggle(i)
		if eachSubset(of[k+1:], size-1, visit, toggle) {
			return true
		}
		toggle(i)
	}
	return false
}
