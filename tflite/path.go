package tflite

import (
	"fmt"
	"strconv"
)

// A step is one field of a path; index is -1 unless the field is a vector.
type step struct {
	name  string
	index int
}

// A path leads from the root table to a field. It is formatted only for messages: most files
// have none.
type path []step

// String returns the path as "subgraphs[0].tensors[7].shape", or "" for the root.
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

// TensorPath returns the name of a tensor in messages: "subgraphs[0].tensors[7]".
func TensorPath(subgraph, tensor int) string {
	return fmt.Sprintf("subgraphs[%d].tensors[%d]", subgraph, tensor)
}

// OperatorPath returns the name of an operator in messages: "subgraphs[0].operators[3]".
func OperatorPath(subgraph, operator int) string {
	return fmt.Sprintf("subgraphs[%d].operators[%d]", subgraph, operator)
}
