package rewrite

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Subgraphs that share their operators take the same order, and no others.
func TestReorderShared(t *testing.T) {
	order, other := []int{1, 0, 2, 3}, []int{0, 2, 1, 3}
	for name, data := range map[string][]byte{"vector": sample.SharedVector(t), "subgraph": sample.SharedSubgraph(t)} {
		m := modelfile.Parse(t, data)
		for _, orders := range [][][]int{{order}, {nil, order}, {order, other}} {
			checkRefusedSharing(t, m, orders, "subgraphs 0 and 1 have one vector of operators")
		}
		orders := [][]int{order, order}
		r, out := reorder(t, m, orders...)
		checkReordered(t, m, orders, r)
		if back, _ := reorder(t, out, inverse(orders)...); !bytes.Equal(back.Data, data) {
			t.Errorf("%s: back is not the old file", name)
		}
	}
}

func checkRefusedSharing(t *testing.T, m *tflite.Model, orders [][]int, want string) {
	t.Helper()
	before := bytes.Clone(m.Data)
	_, err := Reorder(m, orders, Options{Force: true})
	if refused := (*RefusedError)(nil); !errors.As(err, &refused) || refused.Force || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: error %v, want %q", orders, err, want)
	}
	if !bytes.Equal(before, m.Data) {
		t.Error("the input was changed")
	}
}

// A vector of operators that lists the inputs of a subgraph too keeps its order.
func TestReorderOverlaid(t *testing.T) {
	source := sample.Fork()
	// As many tensors as the references are long.
	source.Subgraphs = append(source.Subgraphs, encode.Subgraph{Tensors: make([]encode.Tensor, 1000)})
	data := encode.Encode(source)
	at := sample.PlaceOf(t, data, 0)
	var sub schema.SubGraph
	schema.GetRootAsModel(data, 0).Subgraphs(&sub, 1)
	inputs, ok := patch.FieldAt(sub.Table(), 1)
	if !ok {
		t.Fatal("no inputs")
	}
	patch.Output(data).Refer(inputs, at.Vector)
	checkRefusedSharing(t, modelfile.Parse(t, data), [][]int{{1, 0, 2, 3}}, "SubGraph.inputs")
}

// An operator whose table lies inside the vector that refers to it cannot stay there.
func TestReorderInside(t *testing.T) {
	source := sample.Fork()
	source.Description = strings.Repeat(" ", 4000)
	order := []int{0, 2, 1}
	for i := range 61 {
		// Many tables, so that the references of the first ones are long.
		source.Subgraphs[0].Operators = append(source.Subgraphs[0].Operators, encode.Operator{Builtin: schema.BuiltinOperatorADD})
		order = append(order, 3+i)
	}
	data := encode.Encode(source)
	first := sample.PlaceOf(t, data, 0).Vector + 4
	second := first + 4
	// As a table, the second element leads back to its vtable by as much as it leads
	// forward as a reference: into the description.
	vtable := second - int64(le.Uint32(data[second:]))
	if string(data[vtable-4:vtable+8]) != strings.Repeat(" ", 12) {
		t.Fatal("the description lies elsewhere")
	}
	patch.Output(data).U16(vtable, 4, 4)
	patch.Output(data).Refer(first, second)
	m := modelfile.Parse(t, data)
	if op := m.Subgraphs[0].Operators[0]; len(op.Inputs)+len(op.Outputs) != 0 {
		t.Fatalf("%v", op)
	}
	order = append(order, 64)
	checkRefusedSharing(t, m, [][]int{order}, "the table of operator 0:0")
	order[0], order[63] = 63, 0
	checkRefusedSharing(t, m, [][]int{order}, "the table of operator 0:0")
}

// One table that is two operators is two operators in any order.
func TestReorderSameTable(t *testing.T) {
	source := sample.Fork()
	source.Subgraphs[0].Operators[0].Inputs = nil
	data := encode.Encode(source)
	first := sample.PlaceOf(t, data, 0).Vector + 4
	table := first + 8 + int64(le.Uint32(data[first+8:])) // of operator 2
	patch.Output(data).Refer(first+4, table)
	m := modelfile.Parse(t, data)
	if op := m.Subgraphs[0].Operators; op[1].Outputs[0] != op[2].Outputs[0] {
		t.Fatalf("%v", op)
	}
	checkRefusedSharing(t, m, [][]int{{0, 2, 1, 3}}, "which the first writes, the second writes")
	source = sample.Fork()
	source.Subgraphs[0].Operators = append(source.Subgraphs[0].Operators, encode.Operator{Builtin: schema.BuiltinOperatorADD}, encode.Operator{Builtin: schema.BuiltinOperatorADD})
	data = encode.Encode(source)
	first = sample.PlaceOf(t, data, 0).Vector + 4
	table = min(first+16+int64(le.Uint32(data[first+16:])), first+20+int64(le.Uint32(data[first+20:])))
	patch.Output(data).Refer(first+16, table)
	patch.Output(data).Refer(first+20, table)
	if r, _ := reorder(t, modelfile.Parse(t, data), []int{0, 1, 2, 3, 5, 4}); r.Method != Unchanged || r.Changes != nil {
		t.Errorf("%+v", r)
	}
	orders := [][]int{{5, 0, 1, 4, 2, 3}}
	r, _ := reorder(t, modelfile.Parse(t, data), orders...)
	checkReordered(t, modelfile.Parse(t, data), orders, r)
}
