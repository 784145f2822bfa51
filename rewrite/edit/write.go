package edit

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// editor applies a checked edit: it drafts the tables written before the old file.
type editor struct {
	draft
	m   *tflite.Model
	e   *Edit
	old patch.Root
	sub schema.SubGraph
	// codes and buffers are the added ones, in order; bufferIndex maps data to its buffer index.
	codes       []tflite.OperatorCode
	buffers     [][]byte
	bufferIndex map[string]int
	// freeRanges are the reused file ranges of unused buffers, emptiedBuffers the indexes of those
	// buffers. places holds the position in the old file of each added buffer's length field, 0 if
	// written before the file.
	freeRanges     []freeRange
	emptiedBuffers map[int]bool
	places         []int64
}

// Field ids that an edit writes.
const (
	fieldOperatorCodes = 1
	fieldSubgraphs     = 2

	fieldTensors = 0 // of a subgraph; fieldOperators too

	tensorShapeField, tensorTypeField, tensorBufferField = 0, 1, 2
	tensorNameField, tensorQuantField, tensorRankField   = 3, 4, 8

	operatorCodeField, operatorInputsField, operatorOutputsField = 0, 1, 2
	operatorTypeField, operatorOptionsField                      = 3, 4
	operatorOptions2Field                                        = 12

	metadataNameField, metadataBufferField = 0, 1
)

// newEditor drafts the new tables and lays them out.
func newEditor(m *tflite.Model, e *Edit) (*editor, error) {
	w := &editor{m: m, e: e, old: patch.RootOf(m), bufferIndex: map[string]int{}}
	w.byContent = map[string]*part{}
	schema.GetRootAsModel(m.Data, 0).Subgraphs(&w.sub, e.Subgraph)
	for i := range e.Tensors {
		if data := e.Tensors[i].Data; data != nil {
			w.buffer(data)
		}
	}
	for i := range e.Reshaped {
		if data := e.Reshaped[i].Data; data != nil {
			w.buffer(data)
		}
	}
	w.placeBuffers()
	if w.hasMetadata() {
		w.buffers, w.places = append(w.buffers, e.Metadata.Data), append(w.places, 0)
	}
	subgraph, err := w.subgraph()
	if err != nil {
		return nil, err
	}
	if err := w.root(subgraph); err != nil {
		return nil, err
	}
	w.layOut()
	if !w.fits() {
		return nil, patch.CheckSize(m.FlatbufferEnd, int64(len(m.Data)), w.Shift())
	}
	return w, nil
}

// root drafts the header and the root table.
func (w *editor) root(subgraph *part) error {
	fields, err := rootSpec.fields(w.old.Table, "the root table")
	if err != nil {
		return err
	}
	subgraphs := parts(w.old.Targets(fieldSubgraphs))
	subgraphs[w.e.Subgraph] = subgraph
	fields = set(fields, reference(fieldSubgraphs, w.list(layerLists, subgraphs)))
	if len(w.codes) > 0 {
		codes := parts(w.old.Targets(fieldOperatorCodes))
		for _, c := range w.codes {
			codes = append(codes, w.operatorCode(c))
		}
		fields = set(fields, reference(fieldOperatorCodes, w.list(layerLists, codes)))
	}
	if len(w.buffers) > 0 {
		fields = set(fields, reference(patch.FieldBuffers, w.list(layerLists, w.bufferTables())))
	}
	if w.e.Metadata != nil {
		fields = set(fields, reference(patch.FieldMetadata, w.list(layerLists, w.metadataTables())))
	}
	table := w.table(layerRoot, fields)
	w.add(layerHeader, &part{size: patch.HeaderSize, align: 4, write: func(out patch.Output, at int64) {
		out.Refer(at, w.place(table))
		if w.m.Identified {
			copy(out[at+4:at+8], w.m.Data[4:8])
		}
	}})
	return nil
}

func parts(targets []int64) []*part {
	list := make([]*part, len(targets))
	for i, at := range targets {
		list[i] = oldPart(at)
	}
	return list
}

// firstBuffer returns the index of the first added buffer. Buffer 0 means no data, even in a
// file without buffers.
func (w *editor) firstBuffer() int { return max(len(w.m.Buffers), 1) }

func (w *editor) bufferTables() []*part {
	list := parts(w.old.Targets(patch.FieldBuffers))
	if len(list) == 0 || len(w.freeRanges) > 0 {
		empty := w.table(layerTables, nil)
		for _, r := range w.freeRanges {
			list[r.buffer] = empty
		}
		if len(list) == 0 {
			list = append(list, empty)
		}
	}
	for i, data := range w.buffers {
		vector := oldPart(w.places[i])
		if w.places[i] == 0 {
			vector = w.vector(layerData, len(data), schema.DataAlignment, data)
		}
		list = append(list, w.table(layerTables, []tableField{reference(0, vector)}))
	}
	return list
}

// hasMetadata reports whether the edit adds a metadata entry.
func (w *editor) hasMetadata() bool { return w.e.Metadata != nil && len(w.e.Metadata.Data) > 0 }

// metadataTables returns the metadata entries without those of the edit's name, and with its new
// entry at the end, whose data the last buffer holds.
func (w *editor) metadataTables() []*part {
	targets := w.old.Targets(patch.FieldMetadata)
	var list []*part
	for _, i := range w.otherMetadata() {
		list = append(list, oldPart(targets[i]))
	}
	if !w.hasMetadata() {
		return list
	}
	return append(list, w.table(layerTables, []tableField{
		reference(metadataNameField, w.text(w.e.Metadata.Name)),
		number(metadataBufferField, 4, int64(w.firstBuffer()+len(w.buffers)-1)),
	}))
}

// otherMetadata returns the indexes of the entries whose name differs from the edit's.
func (w *editor) otherMetadata() (list []int) {
	for i, md := range w.m.Metadata {
		if w.e.Metadata == nil || md.Name != w.e.Metadata.Name {
			list = append(list, i)
		}
	}
	return list
}

// buffer returns the index of a buffer with the given data, adding one unless the edit already
// has it.
func (w *editor) buffer(data []byte) int {
	index, ok := w.bufferIndex[string(data)]
	if !ok {
		index = w.firstBuffer() + len(w.buffers)
		w.bufferIndex[string(data)] = index
		w.buffers = append(w.buffers, data)
	}
	return index
}

func (w *editor) subgraph() (*part, error) {
	what := fmt.Sprintf("subgraph %d", w.e.Subgraph)
	fields, err := subgraphSpec.fields(w.sub.Table(), what)
	if err != nil {
		return nil, err
	}
	old := patch.Root{Data: w.m.Data, Table: w.sub.Table()}
	if idle := w.emptiedTensors(); len(w.e.Tensors)+len(w.e.Reshaped)+w.e.Removed+len(idle) > 0 {
		targets := old.Targets(fieldTensors)
		tensors := parts(targets[:len(targets)-w.e.Removed])
		for _, t := range idle {
			if tensors[t], err = w.emptied(t); err != nil {
				return nil, err
			}
		}
		for i := range w.e.Reshaped {
			r := &w.e.Reshaped[i]
			if tensors[r.Tensor], err = w.reshaped(r); err != nil {
				return nil, fmt.Errorf("%s, restored tensor %d: %w", what, r.Tensor, err)
			}
		}
		for i := range w.e.Tensors {
			t, err := w.tensor(&w.e.Tensors[i])
			if err != nil {
				return nil, fmt.Errorf("%s, added tensor %d: %w", what, i, err)
			}
			tensors = append(tensors, t)
		}
		fields = set(fields, reference(fieldTensors, w.list(layerElements, tensors)))
	}
	kept := old.Targets(patch.FieldOperators)
	operators := make([]*part, len(w.e.Operators))
	for i := range w.e.Operators {
		op := &w.e.Operators[i]
		if op.Kind == Keep {
			operators[i] = oldPart(kept[op.Of])
			continue
		}
		if operators[i], err = w.operator(op); err != nil {
			return nil, fmt.Errorf("%s, operator %d: %w", what, i, err)
		}
	}
	fields = set(fields, reference(patch.FieldOperators, w.list(layerElements, operators)))
	return w.table(layerSubgraph, fields), nil
}

func (w *editor) tensor(t *Tensor) (*part, error) {
	kind := int64(t.kind(w.m, w.e.Subgraph))
	fields := []tableField{
		reference(tensorShapeField, w.ints(t.Shape)), number(tensorTypeField, 1, kind),
		reference(tensorNameField, w.text(t.Name)),
	}
	buffer := t.Buffer
	if t.Data != nil {
		buffer = w.buffer(t.Data)
	}
	if buffer > 0 {
		fields = append(fields, number(tensorBufferField, 4, int64(buffer)))
	}
	ranked := len(t.Shape) == 0 // otherwise the rank would be unknown
	if t.Like >= 0 {
		ranked = ranked || w.m.Subgraphs[w.e.Subgraph].Tensors[t.Like].HasRank
		q, err := w.quantisation(t)
		if err != nil {
			return nil, err
		}
		if q != nil {
			fields = append(fields, reference(tensorQuantField, q))
		}
	}
	if t.Quantisation != nil {
		fields = append(fields, reference(tensorQuantField, w.ownQuantisation(t.Quantisation)))
	}
	if ranked {
		fields = append(fields, number(tensorRankField, 1, 1))
	}
	return w.table(layerTables, fields), nil
}

// kind returns the element type of an added tensor.
func (t *Tensor) kind(m *tflite.Model, s int) schema.TensorType {
	if t.Like >= 0 {
		return m.Subgraphs[s].Tensors[t.Like].Type
	}
	return t.Type
}
