package segment

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// A Point is a place between two operators where a model may be cut.
type Point struct {
	// After is the index of the operator in front of it.
	After int
	// Alive are the tensors, by index, that are made or given in front of it and read behind it.
	// Constants and outputs of the model that no operator reads do not count.
	Alive []int
	// Bytes is the sum of their sizes.
	Bytes int64
}

// A Part is a run of operators of the first subgraph.
type Part struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Inputs and Outputs are tensor indexes of the model, ascending: what the part reads and does not
	// make, constants left out, and what it makes that later parts read or that the model puts out.
	Inputs, Outputs []int
}

// Points returns where a model may be cut, in the order of operators: wherever the file tells the shapes of all
// tensors that are alive. Errors wrap [ErrModel]: operators that run subgraphs, that keep
// a state, or that do more than their tensors show, and lists of operators that no runtime could run.
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

// point returns the place behind an operator, and false where the file does not tell the shape of
// a tensor that is alive.
func point(s *tflite.Subgraph, after int, alive map[int]bool) (Point, bool) {
	p := Point{After: after}
	for t := range alive {
		tensor := &s.Tensors[t]
		bytes, ok := tensor.PackedBytes()
		// Where there are no dimensions the file may only leave them out.
		if !ok || len(tensor.Shape) == 0 && !tensor.HasRank && !tensor.Input {
			return p, false
		}
		p.Alive = append(p.Alive, t)
		p.Bytes += bytes
	}
	slices.Sort(p.Alive)
	return p, true
}

// Parts returns the parts of a model that is cut behind the operators listed, which ascend and are those of
// some of its [Points].
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

// part returns what a run of operators reads and makes.
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

// handed reports whether an operator behind the given one gets a tensor from outside.
func handed(t *tflite.Tensor, first int) bool {
	return !t.Constant && (t.Input || t.Producer >= 0 && t.Producer < first)
}

// readLater reports whether a tensor is needed behind an operator.
func readLater(t *tflite.Tensor, last int) bool {
	n := len(t.Consumers)
	return t.Output || n > 0 && t.Consumers[n-1] > last
}
