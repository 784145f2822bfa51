package segments

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A product is one of two matrices, of rows times depth and of depth times columns elements of width
// bytes.
type product struct{ rows, depth, columns, width int64 }

// packed returns how many bytes the libraries request to lay parts of the matrices side by side: all of both for
// integers (ruy), blocks that fit caches for floats (Eigen). A single row is not packed.
func (p product) packed() int64 {
	all := p.width * (p.rows*p.depth + p.depth*p.columns)
	if p.rows <= 1 && p.width > 1 {
		return 0
	}
	if p.width == 1 {
		return all
	}
	const deepest, blocks = 1024, 2 << 20
	return min(all, p.width*min(p.depth, deepest)*max(p.rows, p.columns)+blocks)
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
	return filter != nil && in.Type == schema.TensorTypeFLOAT32 && filter.Type != schema.TensorTypeFLOAT32
}
