package op

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An InputShapeError reports an invalid shape for an input of a model.
type InputShapeError struct {
	// Input is the given name or ID.
	Input, Problem string
}

// Error returns "input INPUT: PROBLEM".
func (e *InputShapeError) Error() string { return fmt.Sprintf("input %s: %s", e.Input, e.Problem) }

// WithShapes returns a copy of a model with other input shapes, in elements, for the first
// subgraph. The shapes of all other tensors are derived operator by operator, as after
// resize_tensor_input and allocate_tensors in LiteRT. Inputs are identified by name or by
// "SUBGRAPH:TENSOR". The bytes of the file are unchanged.
//
// It returns an [*InputShapeError], or an error of [Shapes], which names the operator, if a
// shape that depends on the inputs cannot be derived.
func WithShapes(m *tflite.Model, inputs map[string][]int32) (*tflite.Model, error) {
	if len(m.Subgraphs) == 0 {
		return nil, &InputShapeError{"", "the model has no subgraph"}
	}
	c := *m
	c.Subgraphs = slices.Clone(m.Subgraphs)
	r := newReshaper(&c)
	s := r.enter(0)
	for name, shape := range inputs {
		if err := setInput(&c, s, name, shape, r.changed[0]); err != nil {
			return nil, err
		}
	}
	if err := r.run(s); err != nil {
		return nil, err
	}
	return &c, nil
}

// A reshaper changes the shapes of the tensors of a copy of a model.
type reshaper struct {
	m *tflite.Model
	// changed marks the tensors whose shape differs from the file, per entered subgraph.
	changed map[int][]bool
	// moved marks the tensors whose values change because of changed shapes; known holds the
	// values of those that are known before a run.
	moved map[int][]bool
	known map[int]map[int][]int64
}

func newReshaper(m *tflite.Model) *reshaper {
	return &reshaper{m: m, changed: map[int][]bool{}, moved: map[int][]bool{}, known: map[int]map[int][]int64{}}
}

// enter copies the tensors of a subgraph and marks none as changed.
func (r *reshaper) enter(subgraph int) *tflite.Subgraph {
	s := &r.m.Subgraphs[subgraph]
	s.Tensors = slices.Clone(s.Tensors)
	r.changed[subgraph], r.moved[subgraph] = make([]bool, len(s.Tensors)), make([]bool, len(s.Tensors))
	r.known[subgraph] = map[int][]int64{}
	return s
}

// run derives all shapes of a subgraph.
func (r *reshaper) run(s *tflite.Subgraph) error {
	for i := range s.Operators {
		if err := r.follow(s, &s.Operators[i]); err != nil {
			return err
		}
	}
	return nil
}

// set assigns a derived shape to a tensor.
func (r *reshaper) set(s *tflite.Subgraph, tensor int, shape []int32) {
	t := &s.Tensors[tensor]
	if !slices.Equal(t.Shape, shape) || t.Dynamic() {
		r.changed[s.Index][tensor] = true
	}
	t.Shape, t.Signature, t.HasRank = shape, nil, true
}

// setInput assigns a shape to an input.
func setInput(m *tflite.Model, s *tflite.Subgraph, name string, shape []int32, changed []bool) error {
	var names []string
	for _, k := range s.Inputs {
		if k < 0 {
			continue
		}
		t := &s.Tensors[k]
		if names = append(names, t.Name); t.Name != name && m.TensorID(s.Index, k) != name {
			continue
		}
		if rank := len(t.Shape); rank != len(shape) && (t.HasRank || rank > 0) {
			return &InputShapeError{name, fmt.Sprintf("it has %d dimensions, and %v has %d", rank, shape, len(shape))}
		}
		changed[k] = changed[k] || !slices.Equal(t.Shape, shape) || t.Dynamic()
		t.Shape, t.Signature, t.HasRank = slices.Clone(shape), nil, true
		if n, ok := t.Elements(); !ok || n == 0 {
			return &InputShapeError{name, fmt.Sprintf("%v is no shape of a tensor: use dimensions of at least 1", shape)}
		}
		return nil
	}
	return &InputShapeError{name, "the model has no such input; there are " + strings.Join(names, ", ")}
}

// follow derives the shapes of an operator's outputs and their known values.
func (r *reshaper) follow(s *tflite.Subgraph, o *tflite.Operator) error {
	if err := r.derive(s, o); err != nil {
		return err
	}
	r.value(s, o)
	return nil
}

// derive derives the shapes of an operator's outputs if the shapes or the parameters of its
// inputs have changed, or if the file does not have the shapes.
func (r *reshaper) derive(s *tflite.Subgraph, o *tflite.Operator) error {
	anew, perhaps := false, false
	for position, k := range o.Inputs {
		anew = anew || k >= 0 && (r.changed[s.Index][k] || r.moved[s.Index][k] && (len(o.Subgraphs) > 0 || slices.Contains(Parameters(r.m, o), position)))
	}
	for _, k := range o.Outputs {
		anew = anew || k >= 0 && s.Tensors[k].Dynamic()
		perhaps = perhaps || k >= 0 && len(s.Tensors[k].Shape) == 0 && !s.Tensors[k].HasRank
	}
	if !anew && !perhaps || len(o.Outputs) == 0 {
		return nil
	}
	shapes, called, err := r.called(s, o)
	if err == nil && !called {
		shapes, err = r.node(s, o).allShapes()
	}
	if err != nil && !anew {
		return nil // old files do not distinguish a scalar from an unknown shape
	}
	if err != nil {
		return err
	}
	for i, k := range o.Outputs {
		if k >= 0 {
			r.set(s, k, shapes[i])
		}
	}
	return nil
}

// value marks the outputs of an operator whose values differ from those for the file's shapes,
// and evaluates them.
func (r *reshaper) value(s *tflite.Subgraph, o *tflite.Operator) {
	moved := false
	for _, k := range o.Inputs {
		switch r.m.OperatorCodes[o.Code].Builtin {
		case schema.BuiltinOperatorSHAPE:
			moved = k >= 0 && r.changed[s.Index][k]
		case schema.BuiltinOperatorRANK, schema.BuiltinOperatorZEROS_LIKE:
		default:
			moved = moved || k >= 0 && r.moved[s.Index][k]
		}
	}
	for i, k := range o.Outputs {
		if k < 0 {
			continue
		}
		r.moved[s.Index][k] = r.moved[s.Index][k] || moved
		if list, ok := r.node(s, o).evaluate(i); ok {
			r.known[s.Index][k] = list
		} else {
			delete(r.known[s.Index], k)
		}
	}
}

// node returns an operator with the known values of its tensors.
func (r *reshaper) node(s *tflite.Subgraph, o *tflite.Operator) node {
	n := newNode(r.m, s, o)
	n.known = r.known[s.Index]
	return n
}
