package segment

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// fileOverhead is the approximate size of a file without its constants' data, in bytes.
const fileOverhead = 1 << 16

// writer writes the file of one part.
type writer struct {
	m      *tflite.Model
	sub    *tflite.Subgraph
	part   Part
	b      *flatbuffers.Builder
	copier *tflite.Copier
	// tensors are the part's tensors, in file order; index maps tensors of the model to
	// positions in it.
	tensors []int
	index   map[int]int32
	// buffers are the part's buffers, without the empty first one; place maps buffers of the
	// model to indexes in the file.
	buffers []int
	place   map[int]uint32
	codes   []int
	// bytes is the size of the constants plus a small margin.
	bytes int64
}

// Write returns a model file with the operators of a part. Tensors keep their names, and inputs
// and outputs are in the part's order. Errors wrap [ErrModel] or [tflite.ErrCopy]: external
// data, options unknown to the schema, and parts of 2 GiB or more, which are a [*LargeError].
func Write(m *tflite.Model, p Part) ([]byte, error) {
	w, err := begin(m, p)
	if err != nil {
		return nil, err
	}
	w.b = flatbuffers.NewBuilder(int(w.bytes) + fileOverhead)
	data, err := w.write(w.data)
	if err != nil {
		return nil, err
	}
	return data, audit(m, p, data)
}

// begin collects the contents of the part's file.
func begin(m *tflite.Model, p Part) (*writer, error) {
	w := &writer{m: m, sub: &m.Subgraphs[0], part: p, index: map[int]int32{}, place: map[int]uint32{}}
	w.collect()
	if w.bytes > math.MaxInt32-1<<20 {
		return nil, &LargeError{First: p.First, Last: p.Last, Bytes: w.bytes}
	}
	return w, nil
}

// write creates the file; data writes the bytes of a constant.
func (w *writer) write(data func([]byte) flatbuffers.UOffsetT) ([]byte, error) {
	w.copier = tflite.NewCopier(w.b)
	// Data written first ends up last in the file, after the tables.
	buffers := w.writeBuffers(data)
	subgraph, err := w.writeSubgraph()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	w.writeModel(buffers, subgraph)
	return w.b.FinishedBytes(), nil
}

// collect lists the tensors, buffers and codes that the part needs.
func (w *writer) collect() {
	add := func(lists ...[]int) {
		for _, list := range lists {
			for _, t := range list {
				if _, there := w.index[t]; t >= 0 && !there {
					w.index[t] = int32(len(w.tensors))
					w.tensors = append(w.tensors, t)
				}
			}
		}
	}
	add(w.part.Inputs)
	for i := w.part.First; i <= w.part.Last; i++ {
		o := &w.sub.Operators[i]
		add(o.Inputs, o.Intermediates, o.Outputs)
	}
	for _, t := range w.tensors {
		b := w.sub.Tensors[t].Buffer
		if _, there := w.place[b]; there || b == 0 || b >= len(w.m.Buffers) || !hasData(&w.m.Buffers[b]) {
			continue
		}
		w.buffers = append(w.buffers, b)
		w.place[b] = uint32(len(w.buffers))
		w.bytes += int64(len(w.m.Buffers[b].Data)) + 64
	}
}

// hasData reports whether the file has a data vector for a buffer, possibly empty.
func hasData(b *tflite.Buffer) bool { return b.Present || len(b.Data) > 0 }

func (w *writer) writeBuffers(write func([]byte) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	schema.BufferStart(w.b)
	tables := []flatbuffers.UOffsetT{schema.BufferEnd(w.b)}
	for _, i := range w.buffers {
		at := write(w.m.Buffers[i].Data)
		schema.BufferStart(w.b)
		schema.BufferAddData(w.b, at)
		tables = append(tables, schema.BufferEnd(w.b))
	}
	return schema.CreateTables(w.b, tables)
}

// data writes the bytes of a constant.
func (w *writer) data(data []byte) flatbuffers.UOffsetT {
	return schema.CreateData(w.b, data)
}

func (w *writer) writeSubgraph() (flatbuffers.UOffsetT, error) {
	var tensors, operators []flatbuffers.UOffsetT
	for _, i := range w.tensors {
		t := &w.sub.Tensors[i]
		at, err := w.copier.Tensor(t, w.place[t.Buffer])
		if err != nil {
			return 0, err
		}
		tensors = append(tensors, at)
	}
	for i := w.part.First; i <= w.part.Last; i++ {
		o := &w.sub.Operators[i]
		at, err := w.copier.Operator(o, w.code(o.Code), w.indexes(o.Inputs), w.indexes(o.Outputs), w.indexes(o.Intermediates))
		if err != nil {
			return 0, err
		}
		operators = append(operators, at)
	}
	tv, ov := schema.CreateTables(w.b, tensors), schema.CreateTables(w.b, operators)
	in, out := schema.CreateInt32s(w.b, w.indexes(w.part.Inputs)), schema.CreateInt32s(w.b, w.indexes(w.part.Outputs))
	name := w.b.CreateString(w.sub.Name)
	schema.SubGraphStart(w.b)
	schema.SubGraphAddTensors(w.b, tv)
	schema.SubGraphAddInputs(w.b, in)
	schema.SubGraphAddOutputs(w.b, out)
	schema.SubGraphAddOperators(w.b, ov)
	schema.SubGraphAddName(w.b, name)
	return schema.SubGraphEnd(w.b), nil
}

// code returns the index of an operator code in the new file.
func (w *writer) code(old int) uint32 {
	for i, c := range w.codes {
		if c == old {
			return uint32(i)
		}
	}
	w.codes = append(w.codes, old)
	return uint32(len(w.codes) - 1)
}

// indexes returns the new indexes of a list of tensors, as [tflite.Renumbered] does.
func (w *writer) indexes(old []int) []int32 {
	return tflite.Renumbered(old, func(t int) int32 { return w.index[t] })
}
