package patch

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FieldOperators is the id of a subgraph's vector of operators.
const FieldOperators = 3

// Reorder returns the file of m, which has no plan, with its operators in another order.
// nil orders leave a subgraph as it is.
func Reorder(m *tflite.Model, orders [][]int) ([]byte, error) {
	vectors := operatorVectors(m)
	if err := checkVectors(vectors, orders); err != nil {
		return nil, err
	}
	r := RootOf(m)
	data := Output(slices.Clone(m.Data))
	for s, order := range orders {
		if order == nil {
			continue
		}
		start := vectors[s] + 4
		targets := make([]int64, len(order))
		for i, old := range order {
			targets[i] = r.Follow(start + 4*int64(old))
			// References only lead forward, and each table that does not overlap the
			// vector lies behind its last element: so every place can refer to it.
			if targets[i] < start+4*int64(len(order)) {
				return nil, Sharing("the table of operator %s lies in the vector that refers to it",
					OperatorID(s, &m.Subgraphs[s].Operators[old]))
			}
		}
		data.Vector(vectors[s], targets)
	}
	return data, auditOrder(m, data, orders, vectors)
}

// operatorVectors returns the position of each subgraph's vector of operators, 0 where
// there is none.
func operatorVectors(m *tflite.Model) []int64 {
	r := RootOf(m)
	model := schema.GetRootAsModel(m.Data, 0)
	vectors := make([]int64, len(m.Subgraphs))
	for s := range vectors {
		var sub schema.SubGraph
		model.Subgraphs(&sub, s)
		if field, present := FieldAt(sub.Table(), FieldOperators); present {
			vectors[s] = r.Follow(field)
		}
	}
	return vectors
}

// checkVectors refuses different orders for subgraphs that share one vector.
func checkVectors(vectors []int64, orders [][]int) error {
	first := map[int64]int{}
	for s, pos := range vectors {
		other, known := first[pos]
		if !known {
			first[pos] = s
		} else if !slices.Equal(orders[other], orders[s]) {
			return Sharing("subgraphs %d and %d have one vector of operators, and are to have different orders", other, s)
		}
	}
	return nil
}

// auditOrder compares a new file with the model it was made from: the operators are
// those of the old one in their new order, each the very same table, and no byte outside
// of the vectors that were to change is different.
func auditOrder(m *tflite.Model, data []byte, orders [][]int, vectors []int64) error {
	same := slices.Clone(data)
	for s, order := range orders {
		if order != nil {
			start, end := vectors[s]+4, vectors[s]+4+4*int64(len(order))
			copy(same[start:end], m.Data[start:end])
		}
	}
	if !bytes.Equal(same, m.Data) {
		return Sharing("the rewritten file would differ outside of its operators")
	}
	want := reordered(m, orders)
	got, err := audited(want, data, 0, Carried{})
	if err != nil {
		return err
	}
	for s := range want.Subgraphs {
		for i := range want.Subgraphs[s].Operators {
			old, moved := &want.Subgraphs[s].Operators[i], &got.Subgraphs[s].Operators[i]
			if Position(old) != Position(moved) {
				return Sharing("operator %s of the rewritten file would be another one", OperatorID(s, moved))
			}
		}
	}
	return nil
}

// Position returns where in the file the table of an operator is.
func Position(op *tflite.Operator) int64 {
	table := op.Table()
	return int64(table.Table().Pos)
}

// reordered returns the model as it should be read from the new file, with the bytes of
// the old one.
func reordered(m *tflite.Model, orders [][]int) *tflite.Model {
	out := *m
	out.Subgraphs = slices.Clone(m.Subgraphs)
	for s, order := range orders {
		if order == nil {
			continue
		}
		sub := &out.Subgraphs[s]
		place := make([]int, len(order))
		operators := make([]tflite.Operator, len(order))
		for i, old := range order {
			place[old] = i
			operators[i] = sub.Operators[old]
			operators[i].Index = i
		}
		sub.Operators = operators
		sub.Tensors = relinked(sub.Tensors, place)
	}
	return &out
}

// relinked returns tensors whose operators have moved to new places. Who writes a tensor
// first still does.
func relinked(tensors []tflite.Tensor, place []int) []tflite.Tensor {
	tensors = slices.Clone(tensors)
	for i := range tensors {
		t := &tensors[i]
		if t.Producer >= 0 {
			t.Producer = place[t.Producer]
		}
		t.Consumers = slices.Clone(t.Consumers)
		for c, old := range t.Consumers {
			t.Consumers[c] = place[old]
		}
		slices.Sort(t.Consumers)
	}
	return tensors
}
