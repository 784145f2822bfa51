package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
)

// InPlace returns the view's graph for an order search with in-place outputs. It has the bytes that outputs can share with
// inputs, whatever the order. A tensor that is read slice by slice is replaced by several, one for each run of bytes with the
// same readers. That is optimistic: in memory, a tensor keeps all bytes between those still to be read ([View.Remaining]).
// If nothing can be shared, InPlace returns the view's own graph.
func (v *View) InPlace(a Alias) *lifetime.Graph {
	if a == NoAlias || !v.Rules.IsMicro() {
		return v.Graph
	}
	w := newTakeovers(v, a)
	w.anyOrder = true
	g := &inPlaceGraph{takeovers: w, left: kernels.MaxRounds, graph: &lifetime.Graph{Subgraphs: slices.Clone(v.Graph.Subgraphs)}, index: map[lifetime.Step]int{}}
	for s := range v.Graph.Subgraphs {
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
		g.divide()
	}
	if !g.changed {
		return v.Graph
	}
	return g.graph
}

type inPlaceGraph struct {
	*takeovers
	graph   *lifetime.Graph
	changed bool
	left    int64
	// index is the index of each operator in the graph.
	index map[lifetime.Step]int
}

// share adds the shares of an operator.
func (g *inPlaceGraph) share(step lifetime.Step, position int) {
	sub, records := &g.graph.Subgraphs[step.Subgraph], g.Records()
	most := map[int]int64{} // by input
	for _, t := range sub.Operators[g.index[step]].Inputs {
		most[t] = 0
	}
	add := func(record int, bytes int64) {
		at := g.Usage.Places[record]
		if known, ok := most[at.Tensor]; ok && at.Subgraph == step.Subgraph {
			most[at.Tensor] = max(known, bytes)
		}
	}
	if len(g.calls[step]) == 0 { // what a called subgraph shares is not with the output
		g.list = nil
		g.operator(step, position)
		for _, t := range g.list {
			bytes := min(records[t.From].Size, records[t.To].Size)
			add(t.From, bytes)
			add(t.To, bytes)
		}
	}
	if g.alias.Overlaps() {
		for _, o := range g.overlaps(step, position, &g.left) {
			add(o.From, min(records[o.From].Size, records[o.To].Size-max(o.Distance, 0)))
		}
	}
	var inputs []int
	for t, bytes := range most {
		if bytes > 0 {
			inputs = append(inputs, t)
		}
	}
	slices.Sort(inputs)
	for _, t := range inputs {
		g.changed = true
		sub.Shares = append(sub.Shares, lifetime.Share{Operator: g.index[step], Tensor: t, Bytes: most[t]})
	}
}

// The maximum number of tensors in place of one, and of those in place of all.
const (
	maxRuns    = 64
	maxAllRuns = 1 << 16
)

// divide replaces tensors that are read slice by slice.
func (g *inPlaceGraph) divide() {
	reads := g.allReads()
	parts := make([]map[int][]int, len(g.graph.Subgraphs))     // of each divided tensor
	readBy := make([]map[[2]int][]int, len(g.graph.Subgraphs)) // the parts of a tensor that an operator reads
	left := maxAllRuns
	for i, at := range g.Usage.Places {
		sub := &g.graph.Subgraphs[at.Subgraph]
		runs := runsOf(sub.Tensors[at.Tensor].Size, reads[i])
		if len(runs) < 2 || len(runs) > left || !g.readInside(at, reads[i]) {
			continue
		}
		if parts[at.Subgraph] == nil {
			parts[at.Subgraph], readBy[at.Subgraph] = map[int][]int{}, map[[2]int][]int{}
			sub.Tensors = slices.Clone(sub.Tensors)
		}
		left -= len(runs)
		for k, r := range runs {
			part := at.Tensor
			if k > 0 {
				part = len(sub.Tensors)
				sub.Tensors = append(sub.Tensors, sub.Tensors[at.Tensor])
			}
			sub.Tensors[part].Size = r.to - r.from
			parts[at.Subgraph][at.Tensor] = append(parts[at.Subgraph][at.Tensor], part)
			for _, position := range r.readers {
				key := [2]int{g.index[g.Usage.Steps[position]], at.Tensor}
				readBy[at.Subgraph][key] = append(readBy[at.Subgraph][key], part)
			}
		}
	}
	for s := range parts {
		if parts[s] != nil {
			g.changed = true
			replaceTensors(&g.graph.Subgraphs[s], parts[s], readBy[s])
		}
	}
}

// readInside reports whether operators of the tensor's own subgraph read it, not those of a called one.
func (g *inPlaceGraph) readInside(at lifetime.Place, reads []lifetime.Read) bool {
	return !slices.ContainsFunc(reads, func(r lifetime.Read) bool {
		step := g.Usage.Steps[r.Position]
		_, ok := g.index[step]
		return !ok || step.Subgraph != at.Subgraph
	})
}

// replaceTensors puts the parts of tensors in their places. readBy are the parts of a tensor that an operator reads,
// by the indexes of both.
func replaceTensors(sub *lifetime.Subgraph, parts map[int][]int, readBy map[[2]int][]int) {
	replace := func(list []int, by func(t int) []int) []int {
		if !slices.ContainsFunc(list, func(t int) bool { return parts[t] != nil }) {
			return list
		}
		var out []int
		for _, t := range list {
			if parts[t] == nil {
				out = append(out, t)
			} else {
				out = append(out, by(t)...)
			}
		}
		return out
	}
	whole := func(t int) []int { return parts[t] }
	sub.Inputs = replace(sub.Inputs, whole)
	sub.Operators = slices.Clone(sub.Operators)
	for i := range sub.Operators {
		o := &sub.Operators[i]
		o.Inputs, o.Outputs = replace(o.Inputs, func(t int) []int { return readBy[[2]int{i, t}] }), replace(o.Outputs, whole)
	}
	var shares []lifetime.Share
	for _, s := range sub.Shares {
		if parts[s.Tensor] == nil {
			shares = append(shares, s)
			continue
		}
		left := s.Bytes
		for _, t := range readBy[[2]int{s.Operator, s.Tensor}] {
			if bytes := min(left, sub.Tensors[t].Size); bytes > 0 {
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

// runsOf divides a tensor of a size in bytes into the longest runs with the same readers, or into none if there would
// be too many or if a read is empty or outside. Bytes that nothing reads belong to the run before them.
func runsOf(size int64, reads []lifetime.Read) (runs []run) {
	cuts := []int64{0, size}
	for _, r := range reads {
		if r.Lo < 0 || r.Lo >= r.Hi || r.Hi > size {
			return nil
		}
		cuts = append(cuts, r.Lo, r.Hi)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) > maxRuns+1 {
		return nil
	}
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
