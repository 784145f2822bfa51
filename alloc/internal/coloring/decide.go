package coloring

import "github.com/tflarena/tflarena/alloc/internal/problem"

// decide decides whether the items fit into objects of the given descending ranks. It gives up after a
// number of nodes; 0 means never. It restarts at times, with the learned weights of cliques that lack
// room.
func (f *fitter) decide(vector []int, nodes int64) problem.Answer {
	end := f.meter.nodes + nodes
	for tries := restartNodes + int64(len(f.in.items)); ; tries += tries / 2 {
		if nodes > 0 {
			tries = min(tries, end-f.meter.nodes)
		}
		f.limit = f.meter.nodes + tries
		if !f.reset(vector) {
			return problem.Misfit
		}
		v := f.search(0, len(f.in.cliques)-1)
		if v != problem.Unknown || f.meter.over() || nodes > 0 && f.meter.nodes >= end {
			return v
		}
	}
}

// restartNodes is the number of nodes before the first restart, in addition to one for each item.
const restartNodes = int64(100)

// search decides the cliques from..to. Items with a choice outside of them are ignored.
func (f *fitter) search(from, to int) problem.Answer {
	for {
		if !f.meter.step() || f.meter.nodes > f.limit {
			f.clearQueue()
			return problem.Unknown
		}
		if !f.propagate() {
			f.clearQueue()
			return problem.Misfit
		}
		if f.meter.interrupted {
			f.clearQueue()
			return problem.Unknown
		}
		f.drop(from, to)
		parts := f.parts(from, to)
		switch {
		case len(parts) == 0:
			return problem.Fits
		case len(parts) > 1:
			return f.all(parts)
		}
		from, to = parts[0].from, parts[0].to
		i := f.choose(from, to)
		mark := len(f.trail)
		f.set(i, f.hi[i], f.hi[i])
		if v := f.search(from, to); v != problem.Misfit {
			return v
		}
		f.undo(mark)
		f.set(i, f.lo[i], f.hi[i]-1)
	}
}

// all decides independent parts.
func (f *fitter) all(parts []span) problem.Answer {
	for _, p := range parts {
		if v := f.search(p.from, p.to); v != problem.Fits {
			return v
		}
	}
	return problem.Fits
}

// undecided reports whether item i, of several cliques, has a choice that the search must make.
func (f *fitter) undecided(i int) bool {
	return f.lo[i] < f.hi[i] && !f.dropped[i]
}

// choose returns the item in the cliques from..to with the largest ratio of clique weight to remaining
// classes.
func (f *fitter) choose(from, to int) int {
	for t := from; t <= to; t++ {
		f.before[t+1] = f.before[t] + f.weight[t] + 1
	}
	best, bestWeight, bestChoices := -1, 0, 0
	for t := from; t <= to; t++ {
		for _, i := range f.in.starts[t] {
			it := f.in.items[i]
			if !f.undecided(i) {
				continue
			}
			weight, choices := f.before[it.to+1]-f.before[it.from], f.hi[i]-f.lo[i]
			if best < 0 || weight*bestChoices > bestWeight*choices {
				best, bestWeight, bestChoices = i, weight, choices
			}
		}
	}
	return best
}

// A span is a range of cliques, both inclusive.
type span struct{ from, to int }

// parts splits the cliques from..to into those linked by items that still have a
// choice. Cliques without any are not in a part.
func (f *fitter) parts(from, to int) []span {
	var parts []span
	for t := from; t <= to; t++ {
		for _, i := range f.in.starts[t] {
			it := f.in.items[i]
			if !f.undecided(i) {
				continue
			}
			if len(parts) == 0 || !f.without.parts && t > parts[len(parts)-1].to {
				parts = append(parts, span{t, t})
			}
			last := &parts[len(parts)-1]
			last.to = max(last.to, it.to)
		}
	}
	return parts
}
