package order

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// uses holds the operators that make and that read one tensor: indexes into Subgraph.Operators,
// ascending, without duplicates.
type uses struct {
	makers, readers []int32
	input           bool // a graph input
}

// usesOf returns the uses of each tensor. It ignores invalid indexes.
func usesOf(s *lifetime.Subgraph) []uses {
	list := make([]uses, len(s.Tensors))
	for i := range s.Operators {
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 && t < len(list) {
				list[t].makers = addOnce(list[t].makers, int32(i))
			}
		}
		for _, t := range s.Operators[i].Inputs {
			if t >= 0 && t < len(list) {
				list[t].readers = addOnce(list[t].readers, int32(i))
			}
		}
	}
	for _, t := range s.Inputs {
		if t >= 0 && t < len(list) {
			list[t].input = true
		}
	}
	return list
}

// addOnce appends v unless it is the last element.
func addOnce(list []int32, v int32) []int32 {
	if n := len(list); n > 0 && list[n-1] == v {
		return list
	}
	return append(list, v)
}

// all returns every operator that touches the tensor, ascending, without duplicates.
func (u *uses) all() []int32 {
	list := append(slices.Clone(u.makers), u.readers...)
	slices.Sort(list)
	return slices.Compact(list)
}

// chained reports whether the operators that touch the tensor keep their order, because the
// values read depend on which have run.
func (u *uses) chained(t lifetime.Tensor) bool {
	return t.State || len(u.makers) > 1 || len(u.makers) == 1 && u.input
}

// predecessors returns, for each operator, those that must run before it because of data,
// states, effects or the subgraph's constraints, ascending, without duplicates.
func predecessors(s *lifetime.Subgraph, list []uses) [][]int32 {
	preds := make([][]int32, len(s.Operators))
	for t := range list {
		u := &list[t]
		if u.chained(s.Tensors[t]) {
			chain(preds, u.all())
			continue
		}
		for _, m := range u.makers {
			for _, r := range u.readers {
				if r != m {
					preds[r] = append(preds[r], m)
				}
			}
		}
	}
	effects(preds, s)
	before(preds, s)
	for i := range preds {
		slices.Sort(preds[i])
		preds[i] = slices.Compact(preds[i])
	}
	return preds
}

// chain makes each operator of the list depend on the one before it.
func chain(preds [][]int32, list []int32) {
	for i := 1; i < len(list); i++ {
		preds[list[i]] = append(preds[list[i]], list[i-1])
	}
}

// A history is the last writer of a state, or -1, and its readers since.
type history struct {
	writer  int32
	readers []int32
}

// effects makes operators depend on earlier ones with an effect on the same state, unless both
// only read it.
func effects(preds [][]int32, s *lifetime.Subgraph) {
	states := map[int]*history{}
	barrier := int32(-1) // the last operator with unknown effects
	var since []int32    // operators with effects after it
	for i := range s.Operators {
		list := s.Operators[i].Effects
		if len(list) == 0 {
			continue
		}
		if barrier >= 0 {
			preds[i] = append(preds[i], barrier)
		}
		if slices.ContainsFunc(list, func(e lifetime.Effect) bool { return e.State == lifetime.AnyState }) {
			preds[i] = append(preds[i], since...)
			barrier, since = int32(i), nil
			clear(states)
			continue
		}
		since = append(since, int32(i))
		for _, e := range list {
			h := states[e.State]
			if h == nil {
				h = &history{writer: -1}
				states[e.State] = h
			}
			if h.writer >= 0 {
				preds[i] = append(preds[i], h.writer)
			}
			if !e.Writes {
				h.readers = append(h.readers, int32(i))
				continue
			}
			preds[i] = append(preds[i], h.readers...)
			*h = history{writer: int32(i)}
		}
	}
}

// before adds the dependencies in Subgraph.Before.
func before(preds [][]int32, s *lifetime.Subgraph) {
	if len(s.Before) == 0 {
		return
	}
	place := make(map[int]int32, len(s.Operators))
	for i := range s.Operators {
		place[s.Operators[i].Index] = int32(i)
	}
	for _, pair := range s.Before {
		first, ok := place[pair[0]]
		then, there := place[pair[1]]
		if ok && there && first != then {
			preds[then] = append(preds[then], first)
		}
	}
}

// successors inverts the lists of predecessors.
func successors(preds [][]int32) [][]int32 {
	succs := make([][]int32, len(preds))
	for v, list := range preds {
		for _, u := range list {
			succs[u] = append(succs[u], int32(v))
		}
	}
	return succs
}
