package slim

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// presence compares which vectors and strings the tables around the graph have: runtimes read
// absent ones differently from empty ones.
func (a *auditor) presence() error {
	old, now := schema.GetRootAsModel(a.old.Data, 0), schema.GetRootAsModel(a.new.Data, 0)
	same := fieldsOf(old.Table(), 1, 2, 4) == fieldsOf(now.Table(), 1, 2, 4) && old.SignatureDefsLength() == now.SignatureDefsLength()
	for i := range a.old.Subgraphs {
		var x, y schema.SubGraph
		old.Subgraphs(&x, i)
		now.Subgraphs(&y, i)
		same = same && fieldsOf(x.Table(), 0, 1, 2, 3) == fieldsOf(y.Table(), 0, 1, 2, 3)
	}
	for i := 0; same && i < old.SignatureDefsLength(); i++ {
		var x, y schema.SignatureDef
		old.SignatureDefs(&x, i)
		now.SignatureDefs(&y, i)
		same = fieldsOf(x.Table(), 0, 1, 2) == fieldsOf(y.Table(), 0, 1, 2) &&
			sameMaps(x.InputsLength(), y.InputsLength(), x.Inputs, y.Inputs) && sameMaps(x.OutputsLength(), y.OutputsLength(), x.Outputs, y.Outputs)
	}
	if !same {
		return fmt.Errorf("a vector or a string is absent, or present, unlike before")
	}
	return nil
}

// sameMaps compares which of the n and m named tensors of two signatures have a name.
func sameMaps(n, m int, old, now func(*schema.TensorMap, int) bool) bool {
	for i := range min(n, m) {
		var x, y schema.TensorMap
		old(&x, i)
		now(&y, i)
		if (x.Name() == nil) != (y.Name() == nil) {
			return false
		}
	}
	return n == m
}

// fieldsOf returns which of the fields with the given ids a table has.
func fieldsOf(t flatbuffers.Table, ids ...int) (set int) {
	for _, id := range ids {
		if t.Offset(flatbuffers.VOffsetT(4+2*id)) != 0 {
			set |= 1 << id
		}
	}
	return set
}
