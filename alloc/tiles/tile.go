package tiles

import "github.com/tflarena/tflarena/lifetime"

// A Tile is a box of a tensor's elements. Its slices have an entry for each axis, the outermost
// first.
type Tile struct {
	// Offset is the first element on each axis, and Size the number of elements.
	Offset, Size []int64
	// Stride is the distance of neighbouring elements on an axis, in bytes.
	Stride []int64
	// Element is the size of an element in bytes.
	Element int64
}

// A Chunk is a run of bytes, [Lo, Hi), counted from the first byte of the tensor.
type Chunk struct{ Lo, Hi int64 }

// Chunks returns the bytes of a tile in runs, in ascending order if strides fall from one axis to
// the next. It is RenderChunks (Kvochko et al. 2024, Algorithm 3) with strides in bytes. As in the
// paper, adjacent runs are joined only if the inner axes are contiguous.
func (t Tile) Chunks() []Chunk { return t.chunks(nil, t.start(), 0) }

// chunks appends the runs of one position on the axes before axis.
func (t Tile) chunks(dst []Chunk, offset int64, axis int) []Chunk {
	if len(t.Size) == 0 {
		return append(dst, Chunk{offset, offset + t.Element})
	}
	if t.closeFrom(axis) {
		return append(dst, Chunk{offset, offset + t.Size[axis]*t.Stride[axis]})
	}
	own := len(dst)
	for range t.Size[axis] {
		if axis == len(t.Size)-1 {
			dst = append(dst, Chunk{offset, offset + t.Element})
		} else if k := len(dst) - 1; t.closeFrom(axis+1) && k >= own && dst[k].Hi == offset {
			dst[k].Hi += t.Size[axis+1] * t.Stride[axis+1]
		} else {
			dst = t.chunks(dst, offset, axis+1)
		}
		offset += t.Stride[axis]
	}
	return dst
}

func (t Tile) start() int64 {
	var at int64
	for k, o := range t.Offset {
		at += o * t.Stride[k]
	}
	return at
}

// Span returns the number of bytes from the first to the last byte of a tile, both inclusive.
func (t Tile) Span() int64 {
	span := t.Element
	for k, n := range t.Size {
		span += (n - 1) * t.Stride[k]
	}
	return span
}

// closeFrom reports whether the elements on an axis and all inner ones are contiguous.
func (t Tile) closeFrom(axis int) bool {
	length := t.Element
	for k := len(t.Size) - 1; k >= axis; k-- {
		if t.Stride[k] != length {
			return false
		}
		length *= t.Size[k]
	}
	return true
}

// Accesses returns the accesses of a step that writes or reads the tile.
func (t Tile) Accesses(step int, write bool) []lifetime.Access {
	var list []lifetime.Access
	for _, c := range t.Chunks() {
		list = append(list, lifetime.Access{Step: step, Write: write, Lo: c.Lo, Hi: c.Hi})
	}
	return list
}

// CollisionSize is the algorithm of this name (Kvochko et al. 2024, Algorithm 2) as printed: the
// distance from the start of the chunk of t2 to the end of the chunk of t1, in bytes, for the first
// two chunks that overlap, or zero if none do. The tensors of the tiles are at base1 and base2.
//
// It is the number of common bytes only if t1 neither begins nor ends above t2. Moving t1 up by it
// does not clear the chunk of t2 if t1 begins lower, and may move it too far if it begins higher.
// Of the strategies only tile-aware-printed uses it.
func CollisionSize(t1, t2 Tile, base1, base2 int64) int64 {
	start1, start2 := t1.start()+base1, t2.start()+base2
	if start1+t1.Span() <= start2 || start2+t2.Span() <= start1 {
		return 0
	}
	c1, c2 := t1.Chunks(), t2.Chunks()
	for len(c1) > 0 && len(c2) > 0 {
		switch {
		case c1[0].Hi+base1 <= c2[0].Lo+base2:
			c1 = c1[1:]
		case c2[0].Hi+base2 <= c1[0].Lo+base1:
			c2 = c2[1:]
		default:
			return c1[0].Hi + base1 - (c2[0].Lo + base2)
		}
	}
	return 0
}
