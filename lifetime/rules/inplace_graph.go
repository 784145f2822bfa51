package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// InPlace returns the graph of the view for a search for the order of its operators with in-place outputs: with the
// bytes that outputs may share with their inputs in any order, and with several tensors in place of one that is read
// slice by slice, each for the bytes that the same operators read.
func (v *View) InPlace(a Alias) *lifetime.Graph {
	if a == NoAlias || !v.Rules.IsMicro() {
		return v.Graph
	}
	w := newTakeovers(v, a)
	w.anyOrder = true
	g := &inPlaceGraph{takeovers: w, left: newRounds(), graph: &lifetime.Graph{Subgraphs: slices.Clone(v.Graph.Subgraphs)}, index: map[lifetime.Step]int{}}
	for s := range v.Graph.Subgraphs {
		g.graph.Subgraphs[s].Operators = slices.Clone(v.Graph.Subgraphs[s].Operators)
		for i, o := range v.Graph.Subgraphs[s].Operators {
			g.index[lifetime.Step{Subgraph: s, Operator: o.Index}] = i
		}
	}
	for position, step := range v.Usage.Steps {
		if w.sharable(step) {
			g.share(step, position)
		}
	}
	if a.Overwrites() {
		reads := w.allReads()
		for i, at := range v.Usage.Places {
			g.divide(at, reads[i])
		}
	}
	return g.graph
}

type inPlaceGraph struct {
	*takeovers
	graph *lifetime.Graph
	left  int64
	// index is the index of each operator in the graph.
	index map[lifetime.Step]int
}

// share adds the shares of an operator.
func (g *inPlaceGraph) share(step lifetime.Step, position int) {
	sub, records := &g.graph.Subgraphs[step.Subgraph], g.Records()
	inputs := sub.Operators[g.index[step]].Inputs
	most := map[int]int64{}
	add := func(record int, bytes int64) {
		at := g.Usage.Places[record]
		if at.Subgraph == step.Subgraph && slices.Contains(inputs, at.Tensor) {
			most[at.Tensor] = max(most[at.Tensor], bytes)
		}
	}
	g.list = nil
	g.operator(step, position)
	for _, t := range g.list {
		bytes := min(records[t.From].Size, records[t.To].Size)
		add(t.From, bytes)
		add(t.To, bytes)
	}
	for _, o := range g.overlaps(step, position, &g.left) {
		add(o.From, min(records[o.From].Size, records[o.To].Size-max(o.Distance, 0)))
	}
	for t := range sub.Tensors {
		if most[t] > 0 {
			sub.Shares = append(sub.Shares, lifetime.Share{Operator: g.index[step], Tensor: t, Bytes: most[t]})
		}
	}
}

// maxRuns is the maximum number of tensors in place of one.
const maxRuns = 64

// divide replaces a tensor by several with the same readers each, if there are not too many. The reads are those
// of all operators.
func (g *inPlaceGraph) divide(at lifetime.Place, reads []lifetime.Read) {
	sub := &g.graph.Subgraphs[at.Subgraph]
	size := sub.Tensors[at.Tensor].Size
	runs := runsOf(size, reads)
	if len(runs) < 2 || len(runs) > maxRuns {
		return
	}
	for _, r := range reads {
		if _, ok := g.index[g.Usage.Steps[r.Position]]; !ok || g.Usage.Steps[r.Position].Subgraph != at.Subgraph {
			return // it is read by an operator that calls a subgraph
		}
	}
	parts := []int{at.Tensor}
	tensors := slices.Clone(sub.Tensors)
	for k, r := range runs {
		if k > 0 {
			parts = append(parts, len(tensors))
			tensors = append(tensors, tensors[at.Tensor])
		}
		tensors[parts[k]].Size = r.to - r.from
	}
	sub.Tensors = tensors
	replace := func(list []int, by []int) []int {
		if !slices.Contains(list, at.Tensor) {
			return list
		}
		list = slices.DeleteFunc(slices.Clone(list), func(t int) bool { return t == at.Tensor })
		return append(list, by...)
	}
	sub.Inputs = replace(sub.Inputs, parts)
	readBy := map[int][]int{}
	for k, r := range runs {
		for _, position := range r.readers {
			i := g.index[g.Usage.Steps[position]]
			readBy[i] = append(readBy[i], parts[k])
		}
	}
	for i := range sub.Operators {
		o := &sub.Operators[i]
		o.Inputs, o.Outputs = replace(o.Inputs, readBy[i]), replace(o.Outputs, parts)
	}
	var shares []lifetime.Share
	for _, s := range sub.Shares {
		if s.Tensor != at.Tensor {
			shares = append(shares, s)
			continue
		}
		left := s.Bytes
		for _, t := range readBy[s.Operator] {
			if bytes := min(left, tensors[t].Size); bytes > 0 {
				shares = append(shares, lifetime.Share{Operator: s.Operator, Tensor: t, Bytes: bytes})
				left -= bytes
			}
		}
	}
	sub.Shares = shares
}

// A run is bytes [from, to) of a tensor and the positions of the operators that read them.
type run struct {
	from, to int64
	readers  []int
}

// runsOf divides a tensor of a size in bytes into the longest runs with the same readers. Bytes that nothing
// reads belong to the run before them.
func runsOf(size int64, reads []lifetime.Read) (runs []run) {
	cuts := []int64{0, size}
	for _, r := range reads {
		cuts = append(cuts, r.Lo, r.Hi)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for k, from := range cuts[:len(cuts)-1] {
		var readers []int
		for _, r := range reads {
			if r.Lo <= from && cuts[k+1] <= r.Hi {
				readers = append(readers, r.Position)
			}
		}
		slices.Sort(readers)
		readers = slices.Compact(readers)
		if last := len(runs) - 1; last >= 0 && (len(readers) == 0 || slices.Equal(runs[last].readers, readers)) {
			runs[last].to = cuts[k+1]
			continue
		}
		runs = append(runs, run{from, cuts[k+1], readers})
	}
	return runs
}
