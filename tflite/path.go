package tflite

import (
	"fmt"
	"strconv"
)

// A step is one field of a path; index is -1 where the field is not a vector.
type step struct {
	name  string
	index int
}

// A path leads from the root table to a field. It is kept as steps, and only
// spelled out for a message: most files have no message.
type path []step

// String returns the path as "subgraphs[0].tensors[7].shape", "" for the root.
func (p path) String() string {
	var text []byte
	for i, s := range p {
		if i > 0 {
			text = append(text, '.')
		}
		text = append(text, s.name...)
		if s.index >= 0 {
			text = append(text, '[')
			text = strconv.AppendInt(text, int64(s.index), 10)
			text = append(text, ']')
		}
	}
	return string(text)
}

// TensorPath returns how messages call a tensor: "subgraphs[0].tensors[7]".
func TensorPath(subgraph, tensor int) string {
	return fmt.Sprintf("subgraphs[%d].tensors[%d]", subgraph, tensor)
}

// OperatorPath returns how messages call an operator: "subgraphs[0].operators[3]".
func OperatorPath(subgraph, operator int) string {
	return fmt.Sprintf("subgraphs[%d].operators[%d]", subgraph, operator)
}
