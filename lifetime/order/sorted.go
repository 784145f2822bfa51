package order

import (
	"container/heap"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A DisorderError reports an operator that reads a tensor made by a later operator.
type DisorderError struct {
	// Reader and Maker are indexes into Subgraph.Operators, Tensor is a tensor index.
	Reader, Maker, Tensor int
	// ReaderIndex and MakerIndex are the operators' indexes in the model.
	ReaderIndex, MakerIndex int
	// ID is the tensor's ID.
	ID string
}

func (e *DisorderError) Error() string {
	return fmt.Sprintf("operator %d reads tensor %s, which only operator %d makes", e.ReaderIndex, e.ID, e.MakerIndex)
}

// Check returns a [*DisorderError] for the first operator that reads a tensor made by a later
// operator, or nil. A state may be read at any time, and so may a tensor that several operators
// make, or that is also a graph input.
func Check(s *lifetime.Subgraph) error {
	list := usesOf(s)
	for i := range s.Operators {
		for _, t := range s.Operators[i].Inputs {
			if t < 0 || t >= len(list) || len(list[t].makers) == 0 || list[t].chained(s.Tensors[t]) {
				continue
			}
			if m := int(list[t].makers[0]); m > i {
				return &DisorderError{
					Reader: i, Maker: m, Tensor: t, ID: s.Tensors[t].ID,
					ReaderIndex: s.Operators[i].Index, MakerIndex: s.Operators[m].Index,
				}
			}
		}
	}
	return nil
}

// Sorted returns an order in which nothing is read before it is made, and which obeys
// [lifetime.Subgraph.Before]: element i is the index into s.Operators of the operator that runs
// i-th. Of the ready operators, Sorted takes the first, so a valid order is unchanged. The
// error names operators that form a dependency cycle.
func Sorted(s *lifetime.Subgraph) ([]int, error) {
	preds := predecessors(s, usesOf(s))
	succs := successors(preds)
	left := make([]int, len(preds))
	var next places
	for v := range preds {
		if left[v] = len(preds[v]); left[v] == 0 {
			heap.Push(&next, v)
		}
	}
	order := make([]int, 0, len(preds))
	for len(next) > 0 {
		v := heap.Pop(&next).(int)
		order = append(order, v)
		for _, w := range succs[v] {
			if left[w]--; left[w] == 0 {
				heap.Push(&next, int(w))
			}
		}
	}
	if len(order) < len(preds) {
		return nil, cycleError(s, preds, left)
	}
	return order, nil
}

// cycleError follows predecessors that have not run until one repeats.
func cycleError(s *lifetime.Subgraph, preds [][]int32, left []int) error {
	v := slices.IndexFunc(left, func(n int) bool { return n > 0 })
	at := map[int]int{}
	var walk []int
	for {
		if from, ok := at[v]; ok {
			walk = walk[from:]
			break
		}
		at[v] = len(walk)
		walk = append(walk, v)
		for _, u := range preds[v] {
			if left[u] > 0 {
				v = int(u)
				break
			}
		}
	}
	text := ""
	for i, v := range walk[:min(len(walk), 8)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(s.Operators[v].Index)
	}
	if len(walk) > 8 {
		text += fmt.Sprintf(" and %d more", len(walk)-8)
	}
	return fmt.Errorf("the operators wait for each other in a circle: %s", text)
}

// places is a heap of operators, the first in the file on top.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(v any)        { *p = append(*p, v.(int)) }
func (p *places) Pop() any {
	last := len(*p) - 1
	v := (*p)[last]
	*p = (*p)[:last]
	return v
}

// Apply returns s with its operators in the given order, as returned by [Result.Order] and
// [Sorted]. The operators keep their Index; everything else is shared with s.
func Apply(s *lifetime.Subgraph, order []int) lifetime.Subgraph {
	out := *s
	out.Operators = make([]lifetime.Operator, len(order))
	for i, v := range order {
		out.Operators[i] = s.Operators[v]
	}
	return out
}
