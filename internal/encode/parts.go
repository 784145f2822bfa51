package encode

import (
	"sort"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// code returns the index of the operator's code, adding a new one.
func (w *writer) code(o Operator) int {
	c := code{builtin: o.Builtin, old: o.Old, custom: o.Custom, version: max(o.Version, 1)}
	if c.custom != "" {
		c.builtin = schema.BuiltinOperatorCUSTOM
	}
	index, ok := w.codes[c]
	if !ok {
		index = len(w.order)
		w.codes[c] = index
		w.order = append(w.order, c)
	}
	return index
}

// operatorCodes writes both code fields as the converter does: codes above 126 have a placeholder in
// the old one.
func (w *writer) operatorCodes() flatbuffers.UOffsetT {
	b := w.b
	var offsets []flatbuffers.UOffsetT
	for _, c := range w.order {
		var custom flatbuffers.UOffsetT
		if c.custom != "" {
			custom = b.CreateString(c.custom)
		}
		old := min(c.builtin, schema.BuiltinOperatorPLACEHOLDER_FOR_GREATER_OP_CODES)
		schema.OperatorCodeStart(b)
		schema.OperatorCodeAddDeprecatedBuiltinCode(b, int8(old))
		if !c.old {
			schema.OperatorCodeAddBuiltinCode(b, c.builtin)
		}
		schema.OperatorCodeAddVersion(b, c.version)
		addIf(custom, func() { schema.OperatorCodeAddCustomCode(b, custom) })
		offsets = append(offsets, schema.OperatorCodeEnd(b))
	}
	return schema.CreateTables(w.b, offsets)
}

func (w *writer) metadata(list []Metadata) flatbuffers.UOffsetT {
	if list == nil {
		return 0
	}
	b := w.b
	var offsets []flatbuffers.UOffsetT
	for _, m := range list {
		name := b.CreateString(m.Name)
		schema.MetadataStart(b)
		schema.MetadataAddName(b, name)
		schema.MetadataAddBuffer(b, uint32(m.Buffer))
		offsets = append(offsets, schema.MetadataEnd(b))
	}
	return schema.CreateTables(w.b, offsets)
}

func (w *writer) signatures(list []Signature) flatbuffers.UOffsetT {
	if list == nil {
		return 0
	}
	b := w.b
	var offsets []flatbuffers.UOffsetT
	for _, s := range list {
		in, out := w.tensorMaps(s.Inputs), w.tensorMaps(s.Outputs)
		key := b.CreateString(s.Key)
		schema.SignatureDefStart(b)
		schema.SignatureDefAddInputs(b, in)
		schema.SignatureDefAddOutputs(b, out)
		schema.SignatureDefAddSignatureKey(b, key)
		schema.SignatureDefAddSubgraphIndex(b, uint32(s.Subgraph))
		offsets = append(offsets, schema.SignatureDefEnd(b))
	}
	return schema.CreateTables(w.b, offsets)
}

// tensorMaps writes the names in sorted order, so that equal models give equal bytes.
func (w *writer) tensorMaps(m map[string]int) flatbuffers.UOffsetT {
	b := w.b
	var names []string
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	var offsets []flatbuffers.UOffsetT
	for _, name := range names {
		s := b.CreateString(name)
		schema.TensorMapStart(b)
		schema.TensorMapAddName(b, s)
		schema.TensorMapAddTensorIndex(b, uint32(m[name]))
		offsets = append(offsets, schema.TensorMapEnd(b))
	}
	return schema.CreateTables(w.b, offsets)
}

func (w *writer) external(list []ExternalBuffer) (groups, buffers flatbuffers.UOffsetT) {
	if list == nil {
		return 0, 0
	}
	b := w.b
	index := map[string]int{}
	var gs, bs []flatbuffers.UOffsetT
	for i, e := range list {
		if _, ok := index[e.Group]; !ok {
			index[e.Group] = len(gs)
			name := b.CreateString(e.Group)
			schema.ExternalBufferGroupStart(b)
			schema.ExternalBufferGroupAddName(b, name)
			gs = append(gs, schema.ExternalBufferGroupEnd(b))
		}
		schema.ExternalBufferStart(b)
		schema.ExternalBufferAddId(b, uint32(i+1))
		schema.ExternalBufferAddGroup(b, uint32(index[e.Group]))
		schema.ExternalBufferAddOffset(b, e.Offset)
		schema.ExternalBufferAddLength(b, e.Length)
		bs = append(bs, schema.ExternalBufferEnd(b))
	}
	return schema.CreateTables(w.b, gs), schema.CreateTables(w.b, bs)
}

func (w *writer) ints(list []int) flatbuffers.UOffsetT {
	narrow := make([]int32, len(list))
	for i, v := range list {
		narrow[i] = int32(v)
	}
	return schema.CreateInt32s(w.b, narrow)
}
