package litert

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// kernelMemory is the memory of a kernel of LiteRT besides its tensors while it runs, in bytes:
// temporary tensors in the arena, and heap.
type kernelMemory struct{ arena, heap int64 }

// kernelMemoryOf returns an upper bound of the memory of LiteRT's optimised kernels for an operator,
// with one thread. Unknown kernels count with four bytes for each element of their outputs.
func kernelMemoryOf(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) kernelMemory {
	code := m.OperatorCodes[o.Code].Builtin
	if smallKernels[code] {
		return kernelMemory{}
	}
	in, filter, out := s.Operand(o.Inputs, 0), s.Operand(o.Inputs, 1), s.Operand(o.Outputs, 0)
	if out == nil || in == nil {
		return kernelMemory{}
	}
	switch code {
	case schema.BuiltinOperatorCONV_2D:
		return convolution(in, filter, out, 4, 0)
	case schema.BuiltinOperatorCONV_3D:
		return convolution(in, filter, out, 5, 4)
	case schema.BuiltinOperatorFULLY_CONNECTED:
		return fullyConnected(in, filter, out)
	case schema.BuiltinOperatorBATCH_MATMUL:
		return batchMatMul(in, filter, out)
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		return transposeConv(s.Operand(o.Inputs, 2), filter, out)
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		if hybrid(in, filter) {
			return kernelMemory{arena: elements(in) + 4*elements(out)}
		}
		return kernelMemory{}
	}
	var bytes int64
	for i := range o.Outputs {
		if t := s.Operand(o.Outputs, i); t != nil {
			bytes += 4 * elements(t)
		}
	}
	return kernelMemory{arena: bytes}
}

// convolution copies the windows of the input into a matrix (im2col), unless each is one pixel, and
// multiplies it with the filter. The filter has rank dimensions, output channels on the given axis, and
// input channels on axis 3.
func convolution(in, filter, out *tflite.Tensor, rank, axis int) kernelMemory {
	if filter == nil || len(filter.Shape) != rank || filter.Shape[axis] <= 0 {
		return kernelMemory{}
	}
	channels := int64(filter.Shape[axis])
	p := product{rows: elements(out) / channels, depth: elements(filter) / channels, columns: channels, width: width(in)}
	windows := p.rows * p.depth
	n := kernelMemory{}
	// Adjacent windows that do not overlap have as many elements as the input, and are copied.
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

// fullyConnected multiplies the rows of the input with the weights.
func fullyConnected(in, filter, out *tflite.Tensor) kernelMemory {
	if filter == nil || len(filter.Shape) != 2 || filter.Shape[0] <= 0 {
		return kernelMemory{}
	}
	p := product{depth: int64(filter.Shape[1]), columns: int64(filter.Shape[0]), width: width(in)}
	p.rows = elements(out) / p.columns
	n := kernelMemory{}
	if hybrid(in, filter) {
		p.width = 1
		n.arena = elements(in) + 4*elements(out)
	}
	n.heap = p.packed()
	return n
}

// batchMatMul copies both operands, which may have to be transposed.
func batchMatMul(in, other, out *tflite.Tensor) kernelMemory {
	if other == nil || len(in.Shape) < 2 || len(other.Shape) < 2 || len(out.Shape) < 2 {
		return kernelMemory{}
	}
	rows, columns := int64(out.Shape[len(out.Shape)-2]), int64(out.Shape[len(out.Shape)-1])
	batch := elements(out) / max(rows*columns, 1)
	// The layout decides which operand becomes the weights.
	side := max(rows, columns)
	p := product{rows: side, columns: side, depth: elements(in) / max(batch*rows, 1), width: width(in)}
	return kernelMemory{arena: elements(in)*width(in) + elements(other)*width(other), heap: p.packed()}
}

// transposeConv multiplies the input with the filter and adds up the windows (col2im).
func transposeConv(in, filter, out *tflite.Tensor) kernelMemory {
	if in == nil || filter == nil || len(in.Shape) == 0 || in.Shape[len(in.Shape)-1] <= 0 {
		return kernelMemory{}
	}
	depth := int64(in.Shape[len(in.Shape)-1])
	p := product{rows: elements(in) / depth, depth: depth, columns: elements(filter) / depth, width: width(in)}
	return kernelMemory{arena: 4*p.rows*p.columns + elements(filter)*width(filter) + 4*elements(out), heap: p.packed()}
}

// A product multiplies a rows × depth matrix with depth × columns weights, in elements of width bytes.
type product struct{ rows, depth, columns, width int64 }

// The block that Eigen packs at a time on x86-64 with an L1 cache of at most 48 KiB: depth, for all
// columns, and bytes of rows.
const (
	eigenDepth    = 512
	eigenRowBytes = 2 << 20
)

// packed returns the bytes of the packed matrices: both for integers (ruy), a block for floats (Eigen).
// A single row of floats is not packed.
func (p product) packed() int64 {
	all := p.width * (p.rows*p.depth + p.depth*p.columns)
	switch {
	case p.width == 1:
		return all
	case p.rows <= 1:
		return 0
	}
	return min(all, p.width*min(p.depth, eigenDepth)*p.columns+eigenRowBytes)
}

// elements returns the number of elements of a tensor whose shape is known.
func elements(t *tflite.Tensor) int64 {
	n, _ := t.Elements()
	return n
}

// width returns the bytes of an element in memory.
func width(t *tflite.Tensor) int64 { return max(int64(tflite.ElementBits(t.Type))/8, 1) }

// hybrid reports whether floats are multiplied with integers.
func hybrid(in, filter *tflite.Tensor) bool {
	return in != nil && filter != nil && in.Type == schema.TensorTypeFLOAT32 && filter.Type != schema.TensorTypeFLOAT32
}
