package slim

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// writeSignatures writes the signatures, and nothing if there are none.
func (w *writer) writeSignatures() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for i := range w.root.SignatureDefsLength() {
		var old schema.SignatureDef
		w.root.SignatureDefs(&old, i)
		in := ifIn(old.Table(), signatureInputs, w.writeMaps(&old, old.InputsLength(), old.Inputs))
		out := ifIn(old.Table(), signatureOutputs, w.writeMaps(&old, old.OutputsLength(), old.Outputs))
		key := w.text(old.SignatureKey())
		schema.SignatureDefStart(w.b)
		schema.SignatureDefAddInputs(w.b, in)
		schema.SignatureDefAddOutputs(w.b, out)
		schema.SignatureDefAddSignatureKey(w.b, key)
		schema.SignatureDefAddSubgraphIndex(w.b, old.SubgraphIndex())
		tables = append(tables, schema.SignatureDefEnd(w.b))
	}
	if tables == nil {
		return 0
	}
	return schema.CreateTables(w.b, tables)
}

// writeMaps writes the n named tensors of a signature that get returns.
func (w *writer) writeMaps(s *schema.SignatureDef, n int, get func(*schema.TensorMap, int) bool) flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for i := range n {
		var old schema.TensorMap
		get(&old, i)
		name := w.text(old.Name())
		schema.TensorMapStart(w.b)
		schema.TensorMapAddName(w.b, name)
		schema.TensorMapAddTensorIndex(w.b, uint32(w.tensors[s.SubgraphIndex()].index[old.TensorIndex()]))
		tables = append(tables, schema.TensorMapEnd(w.b))
	}
	return schema.CreateTables(w.b, tables)
}
