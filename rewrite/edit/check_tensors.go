package edit

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// checkReshaped checks the tensors that get another shape.
func checkReshaped(m *tflite.Model, e *Edit) error {
	sub := &m.Subgraphs[e.Subgraph]
	seen := map[int]bool{}
	for i := range e.Reshaped {
		r := &e.Reshaped[i]
		if r.Tensor < 0 || r.Tensor >= len(sub.Tensors)-e.Removed || seen[r.Tensor] {
			return fmt.Errorf("tensor %d cannot be reshaped: there are %d, each once", r.Tensor, len(sub.Tensors)-e.Removed)
		}
		seen[r.Tensor] = true
		t := &sub.Tensors[r.Tensor]
		size, sized := (&tflite.Tensor{Type: t.Type, Shape: r.Shape}).PackedBytes()
		switch {
		case !isEmptied(t) && !keepsElements(t, r) && !hasNewReaders(sub, e, r):
			return fmt.Errorf("tensor %d cannot be reshaped: it has elements or uses, and is no constant and no operator's output with as many", r.Tensor)
		case !sized || slices.ContainsFunc(r.Shape, func(d int32) bool { return d <= 0 }):
			return fmt.Errorf("reshaped tensor %d: %s%v has no size", r.Tensor, t.Type, r.Shape)
		case r.Data != nil && int64(len(r.Data)) != size:
			return fmt.Errorf("reshaped tensor %d: data of %s for a tensor that takes %s", r.Tensor, units.ExactBytes(len(r.Data)), units.ExactBytes(size))
		case slices.ContainsFunc(r.Like, func(like int) bool { return like < 0 || like >= len(sub.Tensors) }):
			return fmt.Errorf("reshaped tensor %d: like tensors %v, but the subgraph has %d", r.Tensor, r.Like, len(sub.Tensors))
		}
	}
	return nil
}

// keepsElements reports whether a tensor gets another shape and nothing else.
func keepsElements(t *tflite.Tensor, r *Reshaped) bool {
	return (isConstant(t) || isPassed(t)) && sameElements(t.Shape, r.Shape) && r.Data == nil && len(r.Like) == 0
}

// hasNewReaders reports whether a constant of the file gets other data, and no kept operator reads it.
func hasNewReaders(sub *tflite.Subgraph, e *Edit, r *Reshaped) bool {
	reads := func(op Operator) bool {
		return op.Kind == Keep && op.Of >= 0 && op.Of < len(sub.Operators) && slices.Contains(sub.Operators[op.Of].Inputs, r.Tensor)
	}
	return isReplaceable(&sub.Tensors[r.Tensor]) && r.Data != nil && len(r.Like) == 0 && !slices.ContainsFunc(e.Operators, reads)
}

// isConstant reports whether a tensor is a constant and nothing else.
func isConstant(t *tflite.Tensor) bool {
	return t.Constant && !t.Sparse && !t.Variable && !t.Input && !t.Output
}

// isReplaceable reports whether a tensor is a constant whose data is nowhere but in its buffer, and that no signature returns.
func isReplaceable(t *tflite.Tensor) bool {
	return isConstant(t) && !t.Returned && t.ExternalBuffer == 0
}

// isPassed reports whether a tensor is written and read by operators alone, so that no application sees its shape.
func isPassed(t *tflite.Tensor) bool {
	return t.Producer >= 0 && !t.Constant && !t.Sparse && !t.Variable && !t.Input && !t.Output && !t.Returned
}

// sameElements reports whether two shapes have the same number of elements.
func sameElements(a, b []int32) bool {
	n, okA := (&tflite.Tensor{Shape: a}).Elements()
	k, okB := (&tflite.Tensor{Shape: b}).Elements()
	return okA && okB && n == k
}

// checkRemoved checks that nothing refers to the removed tensors but operators that are left out
// or replaced.
func checkRemoved(m *tflite.Model, e *Edit) error {
	sub := &m.Subgraphs[e.Subgraph]
	n := len(sub.Tensors) - e.Removed
	switch {
	case e.Removed == 0:
		return nil
	case e.Removed < 0 || n < 0:
		return fmt.Errorf("%d tensors cannot be removed from %d", e.Removed, len(sub.Tensors))
	case len(e.Tensors) > 0:
		return fmt.Errorf("%d tensors are removed and %d added", e.Removed, len(e.Tensors))
	}
	used := joined(sub.Inputs, sub.Outputs)
	for _, s := range m.Signatures {
		if s.Subgraph == e.Subgraph {
			for _, t := range joined(s.Inputs, s.Outputs) {
				used = append(used, t.Tensor)
			}
		}
	}
	for i := range e.Operators {
		op := &e.Operators[i]
		if op.Kind == Keep && op.Of >= 0 && op.Of < len(sub.Operators) {
			patch.Touches(sub, &sub.Operators[op.Of], func(t int, _ bool) { used = append(used, t) })
		}
	}
	if t := slices.Max(append(used, -1)); t >= n {
		return fmt.Errorf("tensor %s is removed, but it is used", m.TensorID(e.Subgraph, t))
	}
	for t := n; t < len(sub.Tensors); t++ {
		if sub.Tensors[t].Variable {
			return &patch.RefusedError{Reason: fmt.Sprintf("tensor %s is a variable, and cannot be removed", m.TensorID(e.Subgraph, t))}
		}
	}
	return nil
}
