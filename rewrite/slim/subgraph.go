package slim

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

func (w *writer) writeSubgraph(s int) (flatbuffers.UOffsetT, error) {
	sub, tensors := &w.m.Subgraphs[s], &w.tensors[s]
	tables, err := w.writeTensors(s)
	if err != nil {
		return 0, err
	}
	operators, err := w.writeOperators(s)
	if err != nil {
		return 0, err
	}
	in, out := schema.CreateInt32s(w.b, tensors.all(sub.Inputs)), schema.CreateInt32s(w.b, tensors.all(sub.Outputs))
	var old schema.SubGraph
	w.root.Subgraphs(&old, s)
	var name flatbuffers.UOffsetT
	if !w.has(Names) || usesName(sub) {
		name = w.text(old.Name())
	}
	schema.SubGraphStart(w.b)
	schema.SubGraphAddTensors(w.b, ifIn(old.Table(), subgraphTensors, tables))
	schema.SubGraphAddInputs(w.b, ifIn(old.Table(), subgraphInputs, in))
	schema.SubGraphAddOutputs(w.b, ifIn(old.Table(), subgraphOutputs, out))
	schema.SubGraphAddOperators(w.b, ifIn(old.Table(), subgraphOperators, operators))
	schema.SubGraphAddName(w.b, name)
	return schema.SubGraphEnd(w.b), nil
}

func (w *writer) writeTensors(s int) (flatbuffers.UOffsetT, error) {
	names := named(w.m, s)
	var tables []flatbuffers.UOffsetT
	for _, i := range w.tensors[s].kept {
		t := &w.m.Subgraphs[s].Tensors[i]
		buffer := uint32(0)
		if t.Buffer < len(w.buffers.index) {
			buffer = uint32(w.buffers.index[t.Buffer])
		}
		w.copier.OmitNames = t.Name == "" || w.has(Names) && !names[i]
		at, err := w.copier.Tensor(t, buffer)
		if err = w.copied(s, err); err != nil {
			return 0, err
		}
		tables = append(tables, at)
	}
	return schema.CreateTables(w.b, tables), nil
}

func (w *writer) writeOperators(s int) (flatbuffers.UOffsetT, error) {
	tensors := &w.tensors[s]
	var tables []flatbuffers.UOffsetT
	for i := range w.m.Subgraphs[s].Operators {
		o := &w.m.Subgraphs[s].Operators[i]
		at, err := w.copier.Operator(o, uint32(w.codes.index[o.Code]), tensors.all(o.Inputs), tensors.all(o.Outputs), tensors.all(o.Intermediates))
		if err = w.copied(s, err); err != nil {
			return 0, err
		}
		tables = append(tables, at)
	}
	return schema.CreateTables(w.b, tables), nil
}

// copied returns the refusal for an error of the copier, or for a file whose tables share so much
// that the copy is far larger.
func (w *writer) copied(s int, err error) error {
	switch {
	case err != nil:
		return refused("subgraph %d: %v", s, err)
	case w.measures && w.b.Offset() > maxTables:
		return refused("subgraph %d has too many tables", s)
	}
	return nil
}
