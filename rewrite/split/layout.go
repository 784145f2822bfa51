package split

import (
	"github.com/tflarena/tflarena/tflite/op"
)

// layout is a tensor seen as a feature map: two of its dimensions are the rows and the columns, all
// others together the channels.
type layout struct {
	featureMap
	shape []int32
	// y and x are the dimensions of the rows and the columns, -1 if there is none.
	y, x int
}

// maxRank is the largest number of dimensions of a tensor that is tiled: STRIDED_SLICE and SLICE cut
// no others in TensorFlow Lite Micro.
const maxRank = 4

// layoutOf returns the layout of a tensor with 1 to maxRank dimensions, all known and positive. An image
// [1,height,width,channels] has these rows and columns. In any other tensor the last dimension
// is the channels, unless it is the only one; the rows are the first of the others that is not 1,
// and the columns are the last one:
//
//	[tokens,channels], [1,tokens,channels]       tokens x 1
//	[1,heads,tokens,channels]                    heads x tokens
//	[tokens,batch,channels]                      tokens x batch
//	[batch,heads,tokens,channels]                batch x tokens
func layoutOf(shape []int32) layout {
	l := layout{shape: shape, y: 0, x: -1}
	switch n := len(shape); {
	case isImage(shape):
		l.y, l.x = 1, 2
	case n > 2:
		for l.y < n-2 && shape[l.y] == 1 {
			l.y++
		}
		if l.y < n-2 {
			l.x = n - 2
		}
	}
	l.featureMap = featureMap{h: int64(shape[l.y]), w: 1, c: 1}
	if l.x >= 0 {
		l.w = int64(shape[l.x])
	}
	for i, d := range shape {
		if i != l.y && i != l.x {
			l.c = saturatingMul(l.c, int64(d))
		}
	}
	return l
}

// isImage reports whether a shape is [1,height,width,channels].
func isImage(shape []int32) bool { return len(shape) == 4 && shape[0] == 1 }

// imageOf returns the layout of an image.
func imageOf(p featureMap) layout {
	return layout{featureMap: p, shape: []int32{1, int32(p.h), int32(p.w), int32(p.c)}, y: 1, x: 2}
}

// box returns the first index of a region along each dimension, and its shape.
func (l *layout) box(r region, lists *pool[int32]) (begin, size []int32) {
	begin, size = make([]int32, len(l.shape)), lists.list(l.shape...)
	begin[l.y], size[l.y] = int32(r.y.from), int32(r.y.len())
	if l.x >= 0 {
		begin[l.x], size[l.x] = int32(r.x.from), int32(r.x.len())
	}
	return begin, size
}

// start returns the index of the first element of a region, in row-major order.
func (l *layout) start(r region) int64 {
	at := r.y.from * l.after(l.y)
	if l.x >= 0 {
		at += r.x.from * l.after(l.x)
	}
	return at
}

// after returns the number of elements from one index along a dimension to the next.
func (l *layout) after(dimension int) int64 {
	n := int64(1)
	for _, d := range l.shape[dimension+1:] {
		n *= int64(d)
	}
	return n
}

// part returns the bytes of a region of a tensor's data.
func (l *layout) part(data []byte, element int64, r region) (part []byte) {
	var lists pool[int32]
	begin, size := l.box(r, &lists)
	var copyFrom func(dimension int, at int64)
	copyFrom = func(dimension int, at int64) {
		after := l.after(dimension)
		at += int64(begin[dimension]) * after
		if dimension == max(l.y, l.x) { // everything after it is whole
			part = append(part, data[at*element:(at+int64(size[dimension])*after)*element]...)
			return
		}
		for range size[dimension] {
			copyFrom(dimension+1, at)
			at += after
		}
	}
	copyFrom(0, 0)
	return part
}

// follows reports whether an axis of an input, of more than one element, follows the rows or columns of the output.
func (l *layout) follows(a op.Axis) bool {
	return a.Scale > 0 && a.In > 1 && (a.Of == l.y || a.Of == l.x && l.x >= 0)
}

// source is the part of an input that a region of the output needs along one dimension of the
// input.
type source struct {
	op.Axis
	// row and column mean that it follows the rows, or the columns, of the output.
	row, column bool
}

// sourceOf returns the source of a dimension of an input, -1 for none.
func (l *layout) sourceOf(r op.Region, dimension int) source {
	if dimension < 0 {
		return source{Axis: op.Axis{Of: -1, In: 1}}
	}
	a := r[dimension]
	if a.Scale <= 0 || a.Of < 0 {
		return source{Axis: op.Axis{Of: -1, In: a.In}}
	}
	return source{Axis: a, row: a.Of == l.y, column: a.Of == l.x && l.x >= 0}
}

// taken returns the rows, or columns, of the input.
func (s source) taken(asked region) span {
	switch {
	case s.row:
		return taken(s.Axis, asked.y)
	case s.column:
		return taken(s.Axis, asked.x)
	}
	return span{0, s.In}
}
