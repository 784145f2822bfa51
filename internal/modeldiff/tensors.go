package modeldiff

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/tflite"
)

// A Tensor is a tensor of one of two models.
type Tensor struct {
	ID string `json:"id"`
	// Name in the file.
	Name string `json:"name"`
	// Dimensions as in the file, -1 if unknown.
	Shape []int32 `json:"shape"`
	// Element type as in the file, such as INT8.
	DType string `json:"dtype"`
	// Size of the tensor as stored in a file, in bytes, before any runtime rounds it. Absent if unknown.
	SizeBytes Size `json:"packed_bytes,omitzero"`
	// Whether the file has the tensor's data, so that it takes nothing of the arena.
	Constant bool `json:"constant"`
}

// A Size is a number of bytes, or -1 if that is unknown; JSON omits it then.
type Size int64

// IsZero reports whether JSON omits the size.
func (s Size) IsZero() bool { return s < 0 }

// Type returns the element type and the shape, such as "INT8 [1,96,96,3]".
func (t Tensor) Type() string {
	return t.DType + " " + strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ",")
}

func diffTensor(m *tflite.Model, subgraph, index int) Tensor {
	t := &m.Subgraphs[subgraph].Tensors[index]
	size, ok := t.PackedBytes()
	if !ok {
		size = -1
	}
	return Tensor{
		ID: m.TensorID(subgraph, index), Name: t.Name, Shape: Shape(t), DType: t.Type.String(),
		SizeBytes: Size(size), Constant: t.Constant,
	}
}

// Shape returns the dimensions of a tensor in the file, unknown ones as -1. It is never nil.
func Shape(t *tflite.Tensor) []int32 {
	shape := t.Shape
	if len(t.Signature) == len(shape) {
		shape = t.Signature
	}
	return append([]int32{}, shape...)
}

// tensorList returns the changes of tensors.
func (m *matching) tensorList() List[Tensor] {
	l := List[Tensor]{Changed: []Change[Tensor]{}, Added: []Tensor{}, Removed: []Tensor{}}
	for s, p := range m.tensors {
		for i, j := range p.toB {
			if j < 0 {
				l.Removed = append(l.Removed, diffTensor(m.a, s, i))
				continue
			}
			l.Matched++
			if parts := m.tensorParts(&m.a.Subgraphs[s].Tensors[i], &m.b.Subgraphs[s].Tensors[j]); len(parts) > 0 {
				l.Changed = append(l.Changed, Change[Tensor]{diffTensor(m.a, s, i), diffTensor(m.b, s, j), parts})
			}
		}
		for j, i := range p.toA {
			if i < 0 {
				l.Added = append(l.Added, diffTensor(m.b, s, j))
			}
		}
	}
	return l
}

// tensorParts names the differing parts of a tensor.
func (m *matching) tensorParts(x, y *tflite.Tensor) []string {
	var parts []string
	if x.Index != y.Index {
		parts = append(parts, "index")
	}
	if x.Name != y.Name {
		parts = append(parts, "name")
	}
	if !sameSize(x, y) {
		parts = append(parts, "size")
	}
	if !sameRole(x, y) {
		parts = append(parts, "role")
	}
	if x.Constant && y.Constant && !m.contents.same(m.a.Buffer(x).Data, m.b.Buffer(y).Data) {
		parts = append(parts, "data")
	}
	return parts
}
