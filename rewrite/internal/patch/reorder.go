package patch

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FieldOperators is the id of a subgraph's vector of operators.
const FieldOperators = 3

// Reorder returns the file of m, which must have no plan, with its operators in the given
// orders. A nil order keeps a subgraph's order.
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
			// References only point forward, and a table that does not overlap the vector
			// follows its last element, so every element can refer to it.
			if targets[i] < start+4*int64(len(order)) {
				return nil, Sharing("the table of operator %s lies in the vector that refers to it",
					OperatorID(s, &m.Subgraphs[s].Operators[old]))
			}
		}
		data.Vector(vectors[s], targets)
	}
	return data, auditOrder(m, data, orders, vectors)
}

// operatorVectors returns the position of each subgraph's vector of operators, or 0.
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

// auditOrder compares the new file with the original model: each operator of the new order is
// the same table, and only bytes of reordered vectors changed.
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

// Position returns the file offset of an operator's table.
func Position(op *tflite.Operator) int64 {
	table := op.Table()
	return int64(table.Table().Pos)
}

// reordered returns the model expected from the new file, with the bytes of the old one.
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

// relinked returns the tensors with operator indexes mapped through place. The first writer of
// a tensor remains its producer.
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
