package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Hazard is a pair of operators that LiteRT computes correctly in only one order, because its
// in-place outputs are not tracked precisely: the output of Writer is in the memory of Tensor,
// which Reader reads. No other part of the model has this write-after-read dependency.
//
// LiteRT lets an operator overwrite its input if neither the input nor the root of its memory
// has another reader. But RESHAPE, SQUEEZE, EXPAND_DIMS and BITCAST only rename memory, and
// LiteRT does not count the readers of the names in between: in
//
//	a -> RESHAPE -> b,  b -> RESHAPE -> c,  ADD(c) -> d,  MAX_POOL_2D(b) -> e
//
// a, b, c and d are in the same memory, so MAX_POOL_2D must run before ADD.
type Hazard struct {
	// Subgraph is the index of the operators' subgraph.
	Subgraph int
	// Reader and Writer are the indexes of the operators in the file.
	Reader, Writer int
	// Tensor is the index of the tensor that Reader reads, and Output the index of the
	// tensor that Writer makes.
	Tensor, Output int
}

// Describe returns the consequence of running the writer first, for display: a clause without a
// full stop.
func (h Hazard) Describe(m *tflite.Model) string {
	s := &m.Subgraphs[h.Subgraph]
	operator := func(i int) string { return fmt.Sprintf("%d:%d %s", h.Subgraph, i, s.Operators[i].Name) }
	tensor := func(t int) string { return fmt.Sprintf("%s %q", m.TensorID(h.Subgraph, t), s.Tensors[t].Name) }
	return fmt.Sprintf("operator %s writes its output, tensor %s, into the memory of tensor %s before operator %s reads that",
		operator(h.Writer), tensor(h.Output), tensor(h.Tensor), operator(h.Reader))
}

// Hazards returns LiteRT's constraints on the order of a model's operators, besides data
// dependencies: LiteRT computes an order correctly if, and only if, the reader of each hazard
// runs before its writer. The list is the same in every valid order, and empty for most models.
// The constraints may be unsatisfiable; then LiteRT computes wrong outputs in every order.
func Hazards(m *tflite.Model) (list []Hazard) {
	eachLite(m, func(g *aliases) {
		for _, d := range g.data() {
			list = append(list, d.hazards(g)...)
		}
	})
	return list
}

// eachLite calls f with the groups of tensors that share memory in LiteRT, per subgraph.
func eachLite(m *tflite.Model, f func(*aliases)) {
	b := builder{rules: LiteRT(), model: m}
	for s := range m.Subgraphs {
		if g := newWork(&b, &m.Subgraphs[s]).findAliases(); len(g.root) > 0 {
			f(g)
		}
	}
}

// A datum is the contents of a group's memory between two writes: its readers, with the tensors
// that they read, and the operators that overwrite it.
type datum struct {
	reads  []access
	writes []int
}

// An access is a read of a tensor by an operator, given by its index in work.operators.
type access struct{ operator, tensor int }

// data returns the contents of the groups' memory, in the order of the operators that wrote
// them.
func (g *aliases) data() []*datum {
	of := map[int]*datum{} // by tensor
	var list []*datum
	for i := range g.operators {
		op := &g.operators[i]
		for _, t := range op.Inputs {
			if t >= 0 && of[t] != nil && !g.onlyRenames(i, t) {
				of[t].reads = append(of[t].reads, access{i, t})
			}
		}
		switch {
		case g.modifies[i] && of[g.input[i]] != nil:
			of[g.input[i]].writes = append(of[g.input[i]].writes, i)
		case g.shared[i]:
			of[op.Outputs[0]] = of[g.input[i]]
			continue
		}
		for _, t := range op.Outputs {
			if t >= 0 && of[t] == nil {
				of[t] = &datum{}
				list = append(list, of[t])
			}
		}
	}
	return list
}

// onlyRenames reports whether the operator leaves the data of its input in place.
func (g *aliases) onlyRenames(operator, t int) bool {
	return g.shared[operator] && !g.modifies[operator] && g.operators[operator].Inputs[0] == t
}

// hazards returns the pairs of readers and writers. Two operators that overwrite the same data
// each destroy the other's input: no order satisfies those hazards, and one per further writer
// suffices.
func (d *datum) hazards(g *aliases) (list []Hazard) {
	if len(d.writes) == 0 {
		return nil
	}
	add := func(read access, writer int) {
		reader, by := &g.operators[read.operator], &g.operators[writer]
		list = append(list, Hazard{Subgraph: g.sub.Index, Reader: reader.Index, Writer: by.Index, Tensor: read.tensor, Output: by.Outputs[0]})
	}
	first := d.writes[0]
	for i, read := range d.reads {
		if read.operator != first && (i == 0 || d.reads[i-1] != read) {
			add(read, first)
		}
	}
	for _, writer := range d.writes[1:] {
		add(access{first, g.input[first]}, writer)
	}
	return list
}

// Overwritten returns the reads of a model that see wrong data in LiteRT, because an operator
// in between has overwritten it in place. It is empty if LiteRT's in-place outputs are harmless
// in the order of the file. Overwritten tracks the contents of each memory from operator to
// operator: an independent check of [Hazards].
func Overwritten(m *tflite.Model) (list []Hazard) {
	eachLite(m, func(g *aliases) { list = append(list, g.follow()...) })
	return list
}

// follow simulates the operators in execution order.
func (g *aliases) follow() (list []Hazard) {
	// holds is the last writer of the memory of a root, wants the writer of a tensor's data.
	holds, wants := map[int]int{}, map[int]int{}
	for i := range g.operators {
		op := &g.operators[i]
		for k, t := range op.Inputs {
			if t < 0 || g.onlyRenames(i, t) || slices.Contains(op.Inputs[:k], t) {
				continue
			}
			by, written := holds[g.rootOf(t)]
			if want, known := wants[t]; written && known && by != want {
				list = append(list, Hazard{Subgraph: g.sub.Index, Reader: op.Index, Writer: g.operators[by].Index, Tensor: t, Output: g.operators[by].Outputs[0]})
			}
		}
		g.write(i, op, holds, wants)
	}
	return list
}

// write records the effect of an operator on memory.
func (g *aliases) write(i int, op *lifetime.Operator, holds, wants map[int]int) {
	for k, t := range op.Outputs {
		switch {
		case t < 0:
		case k == 0 && g.shared[i] && !g.modifies[i]:
			wants[t] = wants[g.input[i]]
		default:
			holds[g.rootOf(t)], wants[t] = i, i
		}
	}
}
