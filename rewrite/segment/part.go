package segment

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Point is a position between two operators at which a model can be split.
type Point struct {
	// After is the index of the operator before the point.
	After int
	// Alive are the indexes of the tensors available before the point and read after it,
	// ascending. Constants, and model outputs that no operator reads, do not count.
	Alive []int
	// Bytes is the total size of the Alive tensors.
	Bytes int64
}

// Part is a run of operators of the first subgraph.
type Part struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Inputs and Outputs are tensor indexes of the model, ascending. Inputs are read but not
	// written by the part, constants excluded; Outputs are written by it and read by later
	// parts or outputs of the model.
	Inputs, Outputs []int
}

// Points returns the positions at which a model can be split, in operator order: those with
// known shapes of all live tensors. Errors wrap [ErrModel]: operators that call subgraphs, keep
// state or have effects beyond their tensors, and operator lists that no runtime could run.
func Points(m *tflite.Model) ([]Point, error) {
	if err := check(m); err != nil {
		return nil, err
	}
	s := &m.Subgraphs[0]
	var list []Point
	alive := map[int]bool{}
	for i := range s.Tensors {
		if s.Tensors[i].Input && len(s.Tensors[i].Consumers) > 0 && !s.Tensors[i].Constant {
			alive[i] = true
		}
	}
	for i := range s.Operators[:len(s.Operators)-1] {
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 {
				alive[t] = true
			}
		}
		for t := range alive {
			if n := len(s.Tensors[t].Consumers); n == 0 || s.Tensors[t].Consumers[n-1] <= i {
				delete(alive, t)
			}
		}
		if p, ok := point(s, i, alive); ok {
			list = append(list, p)
		}
	}
	return list, nil
}

// point returns the point after an operator, or false if the shape of a live tensor is unknown.
func point(s *tflite.Subgraph, after int, alive map[int]bool) (Point, bool) {
	p := Point{After: after}
	for t := range alive {
		tensor := &s.Tensors[t]
		bytes, ok := tensor.PackedBytes()
		// An empty list of dimensions may only mean that the file omits them.
		if !ok || len(tensor.Shape) == 0 && !tensor.HasRank && !tensor.Input {
			return p, false
		}
		p.Alive = append(p.Alive, t)
		p.Bytes += bytes
	}
	slices.Sort(p.Alive)
	return p, true
}

// Parts returns the parts of a model split after the listed operators, which must be ascending
// and belong to its [Points].
func Parts(m *tflite.Model, after []int) ([]Part, error) {
	if err := check(m); err != nil {
		return nil, err
	}
	s := &m.Subgraphs[0]
	var parts []Part
	first := 0
	for _, last := range append(slices.Clone(after), len(s.Operators)-1) {
		if last < first || last >= len(s.Operators) {
			return nil, refused("there is nothing between operators %d and %d", first, last)
		}
		parts = append(parts, part(s, first, last))
		first = last + 1
	}
	return parts, nil
}

// part returns the inputs and outputs of a run of operators.
func part(s *tflite.Subgraph, first, last int) Part {
	p := Part{First: first, Last: last, Inputs: []int{}, Outputs: []int{}}
	for i := first; i <= last; i++ {
		for _, t := range s.Operators[i].Inputs {
			if t >= 0 && handed(&s.Tensors[t], first) {
				p.Inputs = append(p.Inputs, t)
			}
		}
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 && readLater(&s.Tensors[t], last) {
				p.Outputs = append(p.Outputs, t)
			}
		}
	}
	slices.Sort(p.Inputs)
	slices.Sort(p.Outputs)
	p.Inputs, p.Outputs = slices.Compact(p.Inputs), slices.Compact(p.Outputs)
	return p
}

// handed reports whether operators from first on receive the tensor from outside.
func handed(t *tflite.Tensor, first int) bool {
	return !t.Constant && (t.Input || t.Producer >= 0 && t.Producer < first)
}

// readLater reports whether a tensor is needed after operator last.
func readLater(t *tflite.Tensor, last int) bool {
	n := len(t.Consumers)
	return t.Output || n > 0 && t.Consumers[n-1] > last
}
