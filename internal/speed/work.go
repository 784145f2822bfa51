// Package speed estimates the time of one run of a model from its multiply-accumulates (MACs) and their
// measured cost. Measurements are published ones, or the user's own.
package speed

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A Kind is a kind of operators whose MACs cost about the same.
type Kind int

// The kinds. Other operators include transposed convolutions and recurrent cells.
const (
	Convolution Kind = iota
	Depthwise
	FullyConnected
	Other

	kinds
)

// Work is the MACs of one run.
type Work struct {
	MACs [kinds]int64
	// Int8 reports that the weights and inputs of all convolutions and fully connected layers are INT8.
	Int8 bool
}

// Of counts the work of one run of a subgraph. Calls of other subgraphs count as [Other].
func Of(m *tflite.Model, subgraph int) Work {
	w, s := Work{Int8: true}, &m.Subgraphs[subgraph]
	w.MACs[Other] = op.RunMACs(m, subgraph)
	for i := range s.Operators {
		o := &s.Operators[i]
		n, kind := op.MACs(m, s, o).Total(), kindOf(m.OperatorCodes[o.Code].Builtin)
		if n == 0 || kind == Other {
			continue
		}
		w.MACs[kind] += n
		w.MACs[Other] -= n
		for k := range 2 { // data and weights, which may be omitted
			w.Int8 = w.Int8 && k < len(o.Inputs) && o.Inputs[k] >= 0 && s.Tensors[o.Inputs[k]].Type == schema.TensorTypeINT8
		}
	}
	if w.MACs[Other] < 0 { // beyond the largest int64
		return Work{}
	}
	return w
}

func kindOf(code schema.BuiltinOperator) Kind {
	switch code {
	case schema.BuiltinOperatorCONV_2D:
		return Convolution
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		return Depthwise
	case schema.BuiltinOperatorFULLY_CONNECTED:
		return FullyConnected
	}
	return Other
}
