package segment

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Measure returns the model that [Write] writes for a part and its file size in bytes, without
// creating the file. The model shares m's constants and has no tables of its own. It returns
// the errors of [Write], except for errors found by reading the file again.
func Measure(m *tflite.Model, p Part) (*tflite.Model, int64, error) {
	w, err := begin(m, p)
	if err != nil {
		return nil, 0, err
	}
	var cut int64
	w.b = flatbuffers.NewBuilder(fileOverhead)
	data, err := w.write(func(data []byte) flatbuffers.UOffsetT {
		short := len(data) % schema.DataAlignment
		cut += int64(len(data) - short)
		return w.data(data[:short])
	})
	if err != nil {
		return nil, 0, err
	}
	return w.view(), int64(len(data)) + cut, nil
}

// view returns the part as a model that shares the constants of m.
func (w *writer) view() *tflite.Model {
	m := *w.m
	m.Metadata, m.Signatures, m.Trailing, m.Warnings = nil, nil, nil, nil
	s := tflite.Subgraph{Name: w.sub.Name, Inputs: w.placed(w.part.Inputs), Outputs: w.placed(w.part.Outputs)}
	for i, old := range w.tensors {
		t := w.sub.Tensors[old]
		t.Index, t.Producer, t.Consumers = i, -1, nil
		t.Input, t.Output = slices.Contains(w.part.Inputs, old), slices.Contains(w.part.Outputs, old)
		t.Returned = t.Output
		s.Tensors = append(s.Tensors, t)
	}
	for i := w.part.First; i <= w.part.Last; i++ {
		o := w.sub.Operators[i]
		o.Index = len(s.Operators)
		o.Inputs, o.Outputs, o.Intermediates = w.placed(o.Inputs), w.placed(o.Outputs), w.placed(o.Intermediates)
		s.Operators = append(s.Operators, o)
		link(&s, &o)
	}
	m.Subgraphs = []tflite.Subgraph{s}
	return &m
}

// link records the operator as producer of its outputs and consumer of its inputs.
func link(s *tflite.Subgraph, o *tflite.Operator) {
	for _, t := range o.Outputs {
		if t >= 0 && s.Tensors[t].Producer < 0 {
			s.Tensors[t].Producer = o.Index
		}
	}
	for _, t := range o.Inputs {
		if t < 0 {
			continue
		}
		if list := &s.Tensors[t].Consumers; !slices.Contains(*list, o.Index) {
			*list = append(*list, o.Index)
		}
	}
}

// placed is indexes with the element type of a model.
func (w *writer) placed(old []int) (list []int) {
	for _, t := range w.indexes(old) {
		list = append(list, int(t))
	}
	return list
}
