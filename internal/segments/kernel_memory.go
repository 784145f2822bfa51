package segments

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A need is what a kernel of LiteRT takes while it runs, besides its tensors, in bytes.
type need struct {
	// arena is for temporary tensors, heap for what it requests from the system.
	arena, heap int64
}

// needOf returns an upper bound of what LiteRT's optimised kernels need for an operator with one
// thread. Kernels that are neither products nor known to need nothing count with four bytes for each
// element of their outputs.
func needOf(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) need {
	code := m.OperatorCodes[o.Code].Builtin
	if small[code] {
		return need{}
	}
	in, filter, out := s.Operand(o.Inputs, 0), s.Operand(o.Inputs, 1), s.Operand(o.Outputs, 0)
	if out == nil || in == nil {
		return need{}
	}
	switch code {
	case schema.BuiltinOperatorCONV_2D:
		return convolution(in, filter, out, 4, 0)
	case schema.BuiltinOperatorCONV_3D:
		return convolution(in, filter, out, 5, 4)
	case schema.BuiltinOperatorFULLY_CONNECTED:
		return connected(in, filter, out)
	case schema.BuiltinOperatorBATCH_MATMUL:
		return matrices(in, filter, out)
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		return transposed(s.Operand(o.Inputs, 2), filter, out)
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		if hybrid(in, filter) {
			return need{arena: elements(in) + 4*elements(out)}
		}
		return need{}
	}
	var bytes int64
	for i := range o.Outputs {
		if t := s.Operand(o.Outputs, i); t != nil {
			bytes += 4 * elements(t)
		}
	}
	return need{arena: bytes}
}

// convolution lays the windows of the input side by side, unless each is one pixel of it, and
// multiplies them with the filter, which has rank dimensions: axis is that of the output's channels, and
// those of the input are along the fourth in two dimensions and in three.
func convolution(in, filter, out *tflite.Tensor, rank, axis int) need {
	if filter == nil || len(filter.Shape) != rank || filter.Shape[axis] <= 0 {
		return need{}
	}
	channels := int64(filter.Shape[axis])
	p := product{rows: elements(out) / channels, depth: elements(filter) / channels, columns: channels, width: width(in)}
	windows := p.rows * p.depth
	n := need{}
	// Windows side by side that do not overlap have as many elements as the input, and are copied.
	if p.depth != int64(filter.Shape[3]) || windows != elements(in) {
		n.arena = windows * p.width
	}
	if hybrid(in, filter) {
		p.width = 1
		n.arena += elements(in) + 4*elements(out)
	}
	n.heap = p.packed()
	return n
}

// connected multiplies rows of the input with all weights.
func connected(in, filter, out *tflite.Tensor) need {
	if filter == nil || len(filter.Shape) != 2 || filter.Shape[0] <= 0 {
		return need{}
	}
	p := product{depth: int64(filter.Shape[1]), columns: int64(filter.Shape[0]), width: width(in)}
	p.rows = elements(out) / p.columns
	n := need{}
	if hybrid(in, filter) {
		p.width = 1
		n.arena = elements(in) + 4*elements(out)
	}
	n.heap = p.packed()
	return n
}

// matrices copies both operands where they have to be turned.
func matrices(in, other, out *tflite.Tensor) need {
	if other == nil || len(in.Shape) < 2 || len(other.Shape) < 2 || len(out.Shape) < 2 {
		return need{}
	}
	rows, columns := int64(out.Shape[len(out.Shape)-2]), int64(out.Shape[len(out.Shape)-1])
	batch := elements(out) / max(rows*columns, 1)
	// Which of the two becomes the weights depends on how they lie.
	side := max(rows, columns)
	p := product{rows: side, columns: side, depth: elements(in) / max(batch*rows, 1), width: width(in)}
	return need{arena: elements(in)*width(in) + elements(other)*width(other), heap: p.packed()}
}

// transposed multiplies the input with the filter and adds the windows up.
func transposed(in, filter, out *tflite.Tensor) need {
	if in == nil || filter == nil || len(in.Shape) == 0 || in.Shape[len(in.Shape)-1] <= 0 {
		return need{}
	}
	depth := int64(in.Shape[len(in.Shape)-1])
	p := product{rows: elements(in) / depth, depth: depth, columns: elements(filter) / depth, width: width(in)}
	return need{arena: 4*p.rows*p.columns + elements(filter)*width(filter) + 4*elements(out), heap: p.packed()}
}
