package edit

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Recycle changes a valid edit without [Edit.Removed] so that the subgraph has fewer tensors, each of which takes persistent memory in
// TensorFlow Lite Micro: added constants replace constants of their type that the edit leaves unused, and unused tensors
// are removed from the end of the list. Quantised constants stay as they are, and so do models whose metadata lists tensors.
func (e *Edit) Recycle(m *tflite.Model) {
	if !plainBuffers(m) {
		return
	}
	sub := &m.Subgraphs[e.Subgraph]
	unused := (&editor{m: m, e: e}).unused()
	take := func(suits func(t int) bool) (t int, ok bool) {
		i := slices.IndexFunc(unused, suits)
		if i < 0 {
			return 0, false
		}
		t = unused[i]
		unused = slices.Delete(unused, i, i+1)
		return t, true
	}
	moved := make([]int, len(sub.Tensors)+len(e.Tensors))
	for t := range sub.Tensors {
		moved[t] = t
	}
	var added []Tensor
	for i, t := range e.Tensors {
		at := len(sub.Tensors) + len(added)
		old, ok := take(func(k int) bool { return replaces(&t, &sub.Tensors[k]) })
		if ok {
			at = old
			e.Reshaped = append(e.Reshaped, Reshaped{Tensor: old, Shape: t.Shape, Data: t.Data})
		} else {
			added = append(added, t)
		}
		moved[len(sub.Tensors)+i] = at
	}
	e.Tensors = added
	for i := range e.Operators {
		if o := &e.Operators[i]; o.Kind != Keep {
			o.Inputs, o.Outputs = renumbered(o.Inputs, moved), renumbered(o.Outputs, moved)
		}
	}
	for ok := len(e.Tensors) == 0; ok; {
		last := len(sub.Tensors) - e.Removed - 1
		if _, ok = take(func(t int) bool { return t == last }); ok {
			e.Removed++
		}
	}
}

// replaces reports whether an added tensor can take the place of one of the file: both are constants without quantisation, of the
// same type and with dimensions.
func replaces(t *Tensor, old *tflite.Tensor) bool {
	table := old.Table()
	q := table.Quantization(nil) // converters write empty ones
	return t.Data != nil && t.Like < 0 && t.Type == old.Type && t.Quantisation == nil && len(t.Shape) > 0 &&
		isReplaceable(old) && len(old.Shape) > 0 && (q == nil || q.ScaleLength() == 0)
}

// renumbered returns a list of tensors with their new indexes.
func renumbered(list, moved []int) []int {
	list = slices.Clone(list)
	for i, t := range list {
		if t >= 0 {
			list[i] = moved[t]
		}
	}
	return list
}
