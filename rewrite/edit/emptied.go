package edit

import "fmt"

// emptiedTensors returns the file's tensors that the edit leaves without uses and that need a new table.
// They cannot be removed, because that would shift tensor indexes, but they must not take
// memory: TensorFlow Lite Micro plans every tensor in the list, used or not. So they get no
// elements. A constant takes no memory as long as it keeps its data.
func (w *editor) emptiedTensors() (list []int) {
	for _, t := range w.unused() {
		if tensor := &w.m.Subgraphs[w.e.Subgraph].Tensors[t]; !tensor.Constant || w.emptiedBuffers[tensor.Buffer] {
			list = append(list, t)
		}
	}
	return list
}

// unused returns the file's tensors that stay and whose last use the edit removes.
func (w *editor) unused() (list []int) {
	sub := &w.m.Subgraphs[w.e.Subgraph]
	used := make([]bool, len(sub.Tensors)+len(w.e.Tensors))
	for i := range w.e.Operators {
		inputs, outputs := w.operandsOf(i)
		for _, t := range joined(inputs, outputs) {
			if t >= 0 {
				used[t] = true
			}
		}
		if op := &w.e.Operators[i]; op.Kind == Keep {
			for _, t := range sub.Operators[op.Of].Intermediates {
				if t >= 0 {
					used[t] = true
				}
			}
		}
	}
	for _, s := range w.m.Signatures {
		if s.Subgraph != w.e.Subgraph {
			continue
		}
		for _, t := range joined(s.Inputs, s.Outputs) {
			used[t.Tensor] = true
		}
	}
	for t := range len(sub.Tensors) - w.e.Removed {
		tensor := &sub.Tensors[t]
		had := tensor.Producer >= 0 || len(tensor.Consumers) > 0
		if had && !used[t] && !tensor.Variable && !tensor.Input && !tensor.Output {
			list = append(list, t)
		}
	}
	return list
}

const tensorSignatureField = 7

// emptied returns the table of a tensor of the file, without elements. Its buffer has no data
// or has been emptied too.
func (w *editor) emptied(t int) (*part, error) {
	table := w.m.Subgraphs[w.e.Subgraph].Tensors[t].Table()
	fields, err := tensorSpec.fields(table.Table(), fmt.Sprintf("tensor %s", w.m.TensorID(w.e.Subgraph, t)))
	if err != nil {
		return nil, err
	}
	if w.emptiedBuffers[w.m.Subgraphs[w.e.Subgraph].Tensors[t].Buffer] {
		// LiteRT refuses per-channel parameters of a tensor without channels.
		fields = without(fields, tensorQuantField)
	}
	fields = set(without(fields, tensorSignatureField), reference(tensorShapeField, w.ints(w.noElements(t))))
	return w.table(layerTables, fields), nil
}

// noElements returns a shape without elements. It keeps the rank, because LiteRT compares a
// quantisation's dimension with it.
func (w *editor) noElements(t int) []int32 {
	return make([]int32, max(len(w.m.Subgraphs[w.e.Subgraph].Tensors[t].Shape), 1))
}

// reshaped returns the table of a tensor of the file that gets elements again.
func (w *editor) reshaped(r *Reshaped) (*part, error) {
	table := w.m.Subgraphs[w.e.Subgraph].Tensors[r.Tensor].Table()
	fields, err := tensorSpec.fields(table.Table(), fmt.Sprintf("tensor %s", w.m.TensorID(w.e.Subgraph, r.Tensor)))
	if err != nil {
		return nil, err
	}
	fields = set(without(fields, tensorSignatureField), reference(tensorShapeField, w.ints(r.Shape)))
	if r.Data != nil {
		fields = set(fields, number(tensorBufferField, 4, int64(w.buffer(r.Data))))
	}
	if len(r.Like) > 0 {
		fields = without(fields, tensorQuantField)
		q, err := w.joinedQuantisation(r)
		if err != nil {
			return nil, err
		}
		if q != nil {
			fields = append(fields, reference(tensorQuantField, q))
		}
	}
	return w.table(layerTables, fields), nil
}
