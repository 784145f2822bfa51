package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// recycle stores the new INT32 constants of an edit in constants that the edit leaves unused, and removes tensors that it leaves
// unused from the end of the list: every tensor of a subgraph takes persistent memory. Tensors that metadata may list by
// their index stay as they are.
func recycle(m *tflite.Model, e *edit.Edit) {
	if slices.ContainsFunc(m.Metadata, func(md tflite.Metadata) bool { return md.Name == "COMPRESSION_METADATA" }) {
		return
	}
	sub := &m.Subgraphs[e.Subgraph]
	idle := idleTensors(m, e)
	free := slices.DeleteFunc(slices.Clone(idle), func(t int) bool { return !holdsIntegers(&sub.Tensors[t]) })
	to := make([]int, len(e.Tensors))
	var added []edit.Tensor
	for i := range e.Tensors {
		t := &e.Tensors[i]
		if len(free) > 0 && len(t.Shape) > 0 && t.Data != nil && t.Like < 0 && t.Type == schema.TensorTypeINT32 && t.Quantisation == nil {
			e.Reshaped = append(e.Reshaped, edit.Reshaped{Tensor: free[0], Shape: t.Shape, Data: t.Data})
			idle = slices.DeleteFunc(idle, func(k int) bool { return k == free[0] })
			to[i], free = free[0], free[1:]
			continue
		}
		to[i] = len(sub.Tensors) + len(added)
		added = append(added, *t)
	}
	e.Tensors = added
	for i := range e.Operators {
		if o := &e.Operators[i]; o.Kind != edit.Keep {
			o.Inputs, o.Outputs = moved(o.Inputs, len(sub.Tensors), to), moved(o.Outputs, len(sub.Tensors), to)
		}
	}
	for len(e.Tensors) == 0 && slices.Contains(idle, len(sub.Tensors)-e.Removed-1) {
		e.Removed++
	}
}

// moved renumbers a list of tensors: index n+i becomes to[i].
func moved(list []int, n int, to []int) []int {
	list = slices.Clone(list)
	for i, t := range list {
		if t >= n {
			list[i] = to[t-n]
		}
	}
	return list
}

// idleTensors returns the tensors of the file that operators write or read before an edit, and that nothing uses after it.
func idleTensors(m *tflite.Model, e *edit.Edit) (list []int) {
	sub := &m.Subgraphs[e.Subgraph]
	used := map[int]bool{}
	for _, s := range m.Signatures {
		for _, list := range [][]tflite.SignatureTensor{s.Inputs, s.Outputs} {
			for _, t := range list {
				used[t.Tensor] = used[t.Tensor] || s.Subgraph == e.Subgraph
			}
		}
	}
	use := func(lists ...[]int) {
		for _, list := range lists {
			for _, t := range list {
				used[t] = true
			}
		}
	}
	for i := range e.Operators {
		o := &e.Operators[i]
		use(o.Inputs, o.Outputs)
		if o.Kind == edit.Keep {
			old := &sub.Operators[o.Of]
			use(old.Inputs, old.Outputs, old.Intermediates)
		}
	}
	for _, r := range e.Reshaped {
		used[r.Tensor] = true
	}
	for i := range sub.Tensors {
		t := &sub.Tensors[i]
		if had := t.Producer >= 0 || len(t.Consumers) > 0; had && !used[i] && !t.Variable && !t.Input && !t.Output && !t.Returned {
			list = append(list, i)
		}
	}
	return list
}

// holdsIntegers reports whether a tensor is a non-scalar INT32 constant of the file without quantisation.
func holdsIntegers(t *tflite.Tensor) bool {
	return t.Type == schema.TensorTypeINT32 && t.Constant && !t.Sparse && t.ExternalBuffer == 0 && len(t.Shape) > 0 && len(quantisationOf(t).scales) == 0
}
