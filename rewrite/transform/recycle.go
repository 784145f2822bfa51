package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// recycle makes use of the tensors of the file that an edit leaves without uses, since each tensor of a subgraph takes
// persistent memory, used or not. It puts added integers into constants, and removes what is at the end of the list.
func recycle(m *tflite.Model, e *edit.Edit) {
	sub := &m.Subgraphs[e.Subgraph]
	idle := idleTensors(sub, e)
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

// moved returns a list of tensors, those from n on as to says.
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
func idleTensors(sub *tflite.Subgraph, e *edit.Edit) (list []int) {
	used := map[int]bool{}
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

// holdsIntegers reports whether a tensor is a constant of INT32 without quantisation, and no scalar.
func holdsIntegers(t *tflite.Tensor) bool {
	return t.Type == schema.TensorTypeINT32 && t.Constant && !t.Sparse && len(t.Shape) > 0 && len(quantisationOf(t).scales) == 0
}
