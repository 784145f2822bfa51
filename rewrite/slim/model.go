package slim

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

// writeModel writes the root table and finishes the flatbuffer.
func (w *writer) writeModel(buffers, subgraphs flatbuffers.UOffsetT) {
	codes, metadata, signatures := w.writeCodes(), w.writeMetadata(), w.writeSignatures()
	var description flatbuffers.UOffsetT
	if !w.has(Names) {
		description = w.text(w.root.Description())
	}
	schema.ModelStart(w.b)
	schema.ModelAddVersion(w.b, w.m.Version)
	schema.ModelAddOperatorCodes(w.b, codes)
	schema.ModelAddSubgraphs(w.b, subgraphs)
	schema.ModelAddDescription(w.b, description)
	schema.ModelAddBuffers(w.b, buffers)
	schema.ModelAddMetadata(w.b, metadata)
	schema.ModelAddSignatureDefs(w.b, signatures)
	root := schema.ModelEnd(w.b)
	if w.m.Identified {
		w.b.FinishWithFileIdentifier(root, []byte(schema.Identifier))
	} else {
		w.b.Finish(root)
	}
}

// Field ids of vectors that are not written if the old file lacks them: runtimes refuse a model
// without them, and accept an empty vector.
const (
	modelOperatorCodes = 1
	modelBuffers       = 4
	subgraphTensors    = 0
	subgraphInputs     = 1
	subgraphOutputs    = 2
	subgraphOperators  = 3
	signatureInputs    = 0
	signatureOutputs   = 1
)

// ifIn returns the position of a field's contents, or 0 if the old table lacks the field.
func ifIn(t flatbuffers.Table, id int, at flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	if _, present := patch.FieldAt(t, id); !present {
		return 0
	}
	return at
}

func (w *writer) writeCodes() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, i := range w.codes.kept {
		var old schema.OperatorCode
		w.root.OperatorCodes(&old, i)
		custom := w.text(old.CustomCode())
		schema.OperatorCodeStart(w.b)
		schema.OperatorCodeAddCustomCode(w.b, custom)
		schema.OperatorCodeAddVersion(w.b, old.Version())
		schema.OperatorCodeAddBuiltinCode(w.b, old.BuiltinCode())
		schema.OperatorCodeAddDeprecatedBuiltinCode(w.b, old.DeprecatedBuiltinCode())
		tables = append(tables, schema.OperatorCodeEnd(w.b))
	}
	return ifIn(w.root.Table(), modelOperatorCodes, schema.CreateTables(w.b, tables))
}

// writeMetadata writes the metadata entries, and nothing if there are none.
func (w *writer) writeMetadata() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, i := range w.metadata {
		var old schema.Metadata
		w.root.Metadata(&old, i)
		name := w.text(old.Name())
		schema.MetadataStart(w.b)
		schema.MetadataAddName(w.b, name)
		schema.MetadataAddBuffer(w.b, uint32(w.buffers.index[old.Buffer()]))
		tables = append(tables, schema.MetadataEnd(w.b))
	}
	if tables == nil {
		return 0
	}
	return schema.CreateTables(w.b, tables)
}
