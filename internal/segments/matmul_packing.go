package segments

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A product is one of two matrices, of rows times depth and of depth times columns elements of width
// bytes. The columns are those of the weights.
type product struct{ rows, depth, columns, width int64 }

// What Eigen lays side by side at a time on x86-64 with a first-level cache of at most 48 KiB: so much
// of the depth, of all columns, and so many bytes of the rows.
const (
	deepest  = 512
	rowBlock = 2 << 20
)

// packed returns how many bytes the libraries request to lay parts of the matrices side by side: all of both for
// integers (ruy), blocks for floats (Eigen). A single row of floats is not packed.
func (p product) packed() int64 {
	all := p.width * (p.rows*p.depth + p.depth*p.columns)
	switch {
	case p.width == 1:
		return all
	case p.rows <= 1:
		return 0
	}
	return min(all, p.width*min(p.depth, deepest)*p.columns+rowBlock)
}

// elements returns the number of elements of a tensor with a known shape.
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
