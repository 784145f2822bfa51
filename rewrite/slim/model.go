package slim

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// writeModel writes the root table and finishes the flatbuffer.
func (w *writer) writeModel(buffers, subgraphs flatbuffers.UOffsetT) {
	codes, metadata, signatures := w.writeCodes(), w.writeMetadata(), w.writeSignatures()
	var description flatbuffers.UOffsetT
	if !w.has(Names) {
		description = w.text(w.m.Description)
	}
	schema.ModelStart(w.b)
	schema.ModelAddVersion(w.b, w.m.Version)
	schema.ModelAddOperatorCodes(w.b, codes)
	schema.ModelAddSubgraphs(w.b, subgraphs)
	schema.ModelAddDescription(w.b, description)
	if len(w.m.Buffers) > 0 {
		schema.ModelAddBuffers(w.b, buffers)
	}
	schema.ModelAddMetadata(w.b, metadata)
	schema.ModelAddSignatureDefs(w.b, signatures)
	root := schema.ModelEnd(w.b)
	if w.m.Identified {
		w.b.FinishWithFileIdentifier(root, []byte(schema.Identifier))
	} else {
		w.b.Finish(root)
	}
}

func (w *writer) writeCodes() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	root := schema.GetRootAsModel(w.m.Data, 0)
	for _, i := range w.codes.kept {
		var old schema.OperatorCode
		root.OperatorCodes(&old, i)
		var custom flatbuffers.UOffsetT
		if name := old.CustomCode(); name != nil {
			custom = w.b.CreateByteString(name)
		}
		schema.OperatorCodeStart(w.b)
		schema.OperatorCodeAddCustomCode(w.b, custom)
		schema.OperatorCodeAddVersion(w.b, old.Version())
		schema.OperatorCodeAddBuiltinCode(w.b, old.BuiltinCode())
		schema.OperatorCodeAddDeprecatedBuiltinCode(w.b, old.DeprecatedBuiltinCode())
		tables = append(tables, schema.OperatorCodeEnd(w.b))
	}
	return w.vector(tables)
}

// writeMetadata writes the metadata entries, and nothing if there are none.
func (w *writer) writeMetadata() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, i := range w.metadata {
		md := w.m.Metadata[i]
		name := w.text(md.Name)
		schema.MetadataStart(w.b)
		schema.MetadataAddName(w.b, name)
		schema.MetadataAddBuffer(w.b, uint32(w.buffers.index[md.Buffer]))
		tables = append(tables, schema.MetadataEnd(w.b))
	}
	if tables == nil {
		return 0
	}
	return w.vector(tables)
}

// writeSignatures writes the signatures, and nothing if there are none.
func (w *writer) writeSignatures() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for i := range w.m.Signatures {
		s := &w.m.Signatures[i]
		in, out, key := w.writeMaps(s, s.Inputs), w.writeMaps(s, s.Outputs), w.text(s.Key)
		schema.SignatureDefStart(w.b)
		schema.SignatureDefAddInputs(w.b, in)
		schema.SignatureDefAddOutputs(w.b, out)
		schema.SignatureDefAddSignatureKey(w.b, key)
		schema.SignatureDefAddSubgraphIndex(w.b, uint32(s.Subgraph))
		tables = append(tables, schema.SignatureDefEnd(w.b))
	}
	if tables == nil {
		return 0
	}
	return w.vector(tables)
}

// writeMaps writes the named tensors of a signature.
func (w *writer) writeMaps(s *tflite.Signature, list []tflite.SignatureTensor) flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, t := range list {
		name := w.text(t.Name)
		schema.TensorMapStart(w.b)
		schema.TensorMapAddName(w.b, name)
		schema.TensorMapAddTensorIndex(w.b, uint32(w.tensors[s.Subgraph].index[t.Tensor]))
		tables = append(tables, schema.TensorMapEnd(w.b))
	}
	return w.vector(tables)
}
