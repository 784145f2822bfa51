package modeldiff

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// matching maps tensors and operators of two models to each other. Subgraphs are matched by index.
type matching struct {
	a, b      *tflite.Model
	tensors   []pairing
	operators []pairing
	contents  contents
}

// A pairing maps each index of one side to its counterpart on the other; -1 is none.
type pairing struct{ toB, toA []int }

func newPairing(a, b int) pairing {
	p := pairing{make([]int, a), make([]int, b)}
	for _, list := range [][]int{p.toB, p.toA} {
		for i := range list {
			list[i] = -1
		}
	}
	return p
}

func (p pairing) join(a, b int) { p.toB[a], p.toA[b] = b, a }

// free reports whether neither has a counterpart yet.
func (p pairing) free(a, b int) bool { return p.toB[a] < 0 && p.toA[b] < 0 }

func (p pairing) count() int {
	n := 0
	for _, b := range p.toB {
		if b >= 0 {
			n++
		}
	}
	return n
}

func match(a, b *tflite.Model) *matching {
	m := &matching{a: a, b: b, contents: newContents(a, b)}
	for i := range max(len(a.Subgraphs), len(b.Subgraphs)) {
		s, t := subgraph(a, i), subgraph(b, i)
		tensors := matchTensors(s, t)
		m.tensors = append(m.tensors, tensors)
		m.operators = append(m.operators, matchOperators(s, t, tensors))
	}
	return m
}

// subgraph returns a subgraph, an empty one if the model lacks it.
func subgraph(m *tflite.Model, i int) *tflite.Subgraph {
	if i < len(m.Subgraphs) {
		return &m.Subgraphs[i]
	}
	return &tflite.Subgraph{Index: i}
}

// unlike reports whether fewer than a quarter of the possible operators are matched.
func (m *matching) unlike() bool {
	const share = 4
	a, b, both := 0, 0, 0
	for _, p := range m.operators {
		a, b, both = a+len(p.toB), b+len(p.toA), both+p.count()
	}
	return both*share < min(a, b)
}

// matchTensors pairs tensors by index and name, then by name, then by index if all but the name is
// equal.
func matchTensors(s, t *tflite.Subgraph) pairing {
	p := newPairing(len(s.Tensors), len(t.Tensors))
	both := min(len(s.Tensors), len(t.Tensors))
	for i := range both {
		if name := s.Tensors[i].Name; name != "" && name == t.Tensors[i].Name {
			p.join(i, i)
		}
	}
	matchNames(s, t, p)
	for i := range both {
		if p.free(i, i) && alike(s, t, i) {
			p.join(i, i)
		}
	}
	return p
}

// matchNames pairs the remaining tensors of each name in index order.
func matchNames(s, t *tflite.Subgraph, p pairing) {
	left := map[string][]int{}
	for j := range t.Tensors {
		if name := t.Tensors[j].Name; name != "" && p.toA[j] < 0 {
			left[name] = append(left[name], j)
		}
	}
	for i := range s.Tensors {
		name := s.Tensors[i].Name
		if list := left[name]; p.toB[i] < 0 && len(list) > 0 {
			p.join(i, list[0])
			left[name] = list[1:]
		}
	}
}

// alike reports whether the tensors at an index differ only in names and types; those without any names
// may differ in shape.
func alike(s, t *tflite.Subgraph, i int) bool {
	x, y := &s.Tensors[i], &t.Tensors[i]
	if !sameRole(x, y) || producer(s, x) != producer(t, y) {
		return false
	}
	return x.Name == "" && y.Name == "" || slices.Equal(x.Shape, y.Shape)
}

// producer returns the producer of a tensor.
func producer(s *tflite.Subgraph, t *tflite.Tensor) string {
	if t.Producer < 0 {
		return ""
	}
	return s.Operators[t.Producer].Name
}

func sameRole(x, y *tflite.Tensor) bool {
	return x.Constant == y.Constant && x.Variable == y.Variable && x.Sparse == y.Sparse && x.Input == y.Input && x.Output == y.Output
}

func sameSize(x, y *tflite.Tensor) bool {
	return x.Type == y.Type && slices.Equal(x.Shape, y.Shape) && slices.Equal(x.Signature, y.Signature)
}

// same reports whether lists of tensor indexes name the same tensors. Negative indexes are omitted
// optional tensors.
func (p pairing) same(a, b []int) bool {
	return slices.EqualFunc(a, b, func(i, j int) bool {
		if i < 0 || j < 0 {
			return i < 0 && j < 0
		}
		return p.toB[i] == j
	})
}
