package segment

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// writeModel writes the root table and finishes the file.
func (w *writer) writeModel(buffers, subgraph flatbuffers.UOffsetT) {
	codes := w.writeCodes()
	subgraphs := schema.CreateTables(w.b, []flatbuffers.UOffsetT{subgraph})
	description := w.b.CreateString(w.m.Description)
	schema.ModelStart(w.b)
	schema.ModelAddVersion(w.b, w.m.Version)
	schema.ModelAddOperatorCodes(w.b, codes)
	schema.ModelAddSubgraphs(w.b, subgraphs)
	schema.ModelAddDescription(w.b, description)
	schema.ModelAddBuffers(w.b, buffers)
	w.b.FinishWithFileIdentifier(schema.ModelEnd(w.b), []byte(schema.Identifier))
}

// writeCodes writes the operator codes that the part uses.
func (w *writer) writeCodes() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, i := range w.codes {
		var old schema.OperatorCode
		schema.GetRootAsModel(w.m.Data, 0).OperatorCodes(&old, i)
		var custom flatbuffers.UOffsetT
		if name := old.CustomCode(); name != nil {
			custom = w.b.CreateByteString(name)
		}
		schema.OperatorCodeStart(w.b)
		schema.OperatorCodeAddDeprecatedBuiltinCode(w.b, old.DeprecatedBuiltinCode())
		if custom != 0 {
			schema.OperatorCodeAddCustomCode(w.b, custom)
		}
		schema.OperatorCodeAddVersion(w.b, old.Version())
		schema.OperatorCodeAddBuiltinCode(w.b, old.BuiltinCode())
		tables = append(tables, schema.OperatorCodeEnd(w.b))
	}
	return schema.CreateTables(w.b, tables)
}
