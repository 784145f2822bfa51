package coloring

import "github.com/tflarena/tflarena/alloc/internal/problem"

// patience is the node limit of a decision that only improves a cut, or that can be repeated.
const patience = 2000

// patience returns the node limit of follow-up decisions about one that took the given number of nodes.
func (s *search) patience(nodes int64) int64 {
	if s.opt.patience > 0 {
		return s.opt.patience
	}
	return min(2*nodes+20, patience)
}

// A cut is a vector without room; no vector below it has room either.
type cut struct{ top []int }

// maxCores is the number of remembered parts of the instance.
const maxCores = 16

// findCut returns a cut above the vector. It returns nil if the vector has room, in which case the
// solution has been kept, or if the search is over. It first tries parts of the instance that had no
// room before, the most recent first.
func (s *search) findCut(vector []int) *cut {
	start := s.meter.nodes
	for n, core := range s.cores {
		if core.decide(vector, s.patience(patience)) == problem.Misfit {
			copy(s.cores[1:n+1], s.cores[:n])
			s.cores[0] = core
			return s.grow(vector, core, s.patience(s.meter.nodes-start))
		}
		start = s.meter.nodes
	}
	v := s.fits(vector, s.patience(patience))
	if v == problem.Unknown {
		s.descend(vector)
		v = s.fits(vector, 0)
	}
	if v != problem.Misfit {
		return nil
	}
	nodes := s.patience(s.meter.nodes - start)
	core := s.shrink(vector, nodes)
	if core == nil {
		return s.grow(vector, s.fitter, nodes)
	}
	s.cores = append([]*fitter{core}, s.cores[:min(len(s.cores), maxCores-1)]...)
	return s.grow(vector, core, nodes)
}

// shrink returns a short range of cliques without room for the vector, or nil if no proper part is
// found.
func (s *search) shrink(vector []int, nodes int64) *fitter {
	if s.opt.without.windows {
		return nil
	}
	from, to := 0, len(s.in.cliques)-1
	to = s.least(from, to, func(t int) bool { return s.failsIn(from, t, vector, nodes) })
	from = to - s.least(0, to, func(n int) bool { return s.failsIn(to-n, to, vector, nodes) })
	if to-from+1 == len(s.in.cliques) {
		return nil
	}
	f := newFitter(s.in.window(from, to), &s.meter, s.opt.without)
	if f.decide(vector, nodes) != problem.Misfit {
		return nil
	}
	return f
}

// least returns the least number in lo..hi that ok accepts, if ok accepts all larger ones; hi is
// assumed to be accepted.
func (s *search) least(lo, hi int, ok func(int) bool) int {
	for lo < hi {
		if mid := (lo + hi) / 2; ok(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return hi
}

func (s *search) failsIn(from, to int, vector []int, nodes int64) bool {
	return newFitter(s.in.window(from, to), &s.meter, s.opt.without).decide(vector, nodes) == problem.Misfit
}
