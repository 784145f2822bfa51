package tiles

// A Tile is a box of a tensor's elements. Its slices have one entry for each axis, the
// outermost first.
type Tile struct {
	// Offset is the first element on each axis, and Size the number of elements.
	Offset, Size []int64
	// Stride is how far two elements next to each other on an axis are apart, in bytes.
	Stride []int64
	// Element is the size of an element in bytes.
	Element int64
}

// A Chunk is a run of bytes, [Lo, Hi), counted from the first byte of the tensor.
type Chunk struct{ Lo, Hi int64 }

// Chunks returns the bytes of a tile in runs, lowest first where the strides fall from one
// axis to the next. It is RenderChunks (Kvochko et al. 2024, Algorithm 3) with strides in
// bytes. As in print, runs that touch are joined only where the axes below lie close.
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

// start returns the first byte of the tile.
func (t Tile) start() int64 {
	var at int64
	for k, o := range t.Offset {
		at += o * t.Stride[k]
	}
	return at
}

// Span returns how far the last byte of a tile is behind its first one, plus one.
func (t Tile) Span() int64 {
	span := t.Element
	for k, n := range t.Size {
		span += (n - 1) * t.Stride[k]
	}
	return span
}

// closeFrom reports whether the elements on an axis and all further ones lie next to each
// other.
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
func (t Tile) Accesses(step int, write bool) []Access {
	var list []Access
	for _, c := range t.Chunks() {
		list = append(list, Access{Step: step, Write: write, Lo: c.Lo, Hi: c.Hi})
	}
	return list
}

// CollisionSize is the algorithm of that name (Kvochko et al. 2024, Algorithm 2) as printed:
// of the first two chunks with a common byte, how far the end of that of t1 is behind the
// start of that of t2, in bytes, and zero where there are none. The tensors of the tiles lie
// at base1 and base2.
//
// It is the number of common bytes only where t1 begins no higher than t2 and ends no
// higher. To move t1 up by it is not enough to leave the chunk of t2 when t1 begins lower,
// and may be more than is needed when it begins higher: the strategies tile-aware-by-size and
// those next to it do not use it, and tile-aware-printed does.
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
