package fit

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// macs returns the multiply-accumulates of a model's convolutions and fully connected
// layers, of subgraph 0.
func macs(m *tflite.Model) (sum int64) {
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		sum += operatorMACs(m, s, &s.Operators[i])
	}
	return sum
}

// operatorMACs multiplies the elements of an output by the weights that each takes.
func operatorMACs(m *tflite.Model, s *tflite.Subgraph, op *tflite.Operator) int64 {
	if len(op.Inputs) < 2 || op.Inputs[1] < 0 || len(op.Outputs) == 0 || op.Outputs[0] < 0 {
		return 0
	}
	out, known := s.Tensors[op.Outputs[0]].Elements()
	filter := s.Tensors[op.Inputs[1]].Shape
	if !known {
		return 0
	}
	switch m.OperatorCodes[op.Code].Builtin {
	case schema.BuiltinOperatorCONV_2D:
		if len(filter) == 4 {
			return out * int64(filter[1]) * int64(filter[2]) * int64(filter[3])
		}
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		if len(filter) == 4 {
			return out * int64(filter[1]) * int64(filter[2])
		}
	case schema.BuiltinOperatorFULLY_CONNECTED:
		if len(filter) == 2 {
			return out * int64(filter[1])
		}
	}
	return 0
}
