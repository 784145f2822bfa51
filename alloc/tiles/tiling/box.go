package tiling

import (
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A span is bytes [lo, hi) of a tensor.
type span struct{ lo, hi int64 }

// extents returns the dimensions of a tensor.
func extents(t *tflite.Tensor) []int64 {
	list := make([]int64, len(t.Shape))
	for i, d := range t.Shape {
		list[i] = int64(d)
	}
	return list
}

// wholeBox returns the box of all elements.
func wholeBox(shape []int64) op.Box {
	box := make(op.Box, len(shape))
	for i, d := range shape {
		box[i] = op.Span{From: 0, To: d}
	}
	return box
}

// sizeOf returns the bytes of packed elements of some bits.
func sizeOf(elements, bits int64) int64 {
	if bits >= 8 {
		return elements * (bits / 8)
	}
	return (elements*bits + 7) / 8
}

// volume returns the number of elements of a box.
func volume(box op.Box) int64 {
	n := int64(1)
	for _, s := range box {
		n *= max(s.To-s.From, 0)
	}
	return n
}

// spanCount returns the number of spans of a box, or any number above [MaxAccesses].
func spanCount(shape []int64, box op.Box) int {
	if volume(box) == 0 {
		return 0
	}
	count := int64(1)
	for _, s := range box[:max(innermost(shape, box)-1, 0)] {
		if count *= s.To - s.From; count > MaxAccesses {
			break
		}
	}
	return int(count)
}

// innermost returns the first axis from which on a box has all elements, or the number of axes.
func innermost(shape []int64, box op.Box) int {
	inner := len(shape)
	for inner > 0 && box[inner-1].From == 0 && box[inner-1].To == shape[inner-1] {
		inner--
	}
	return inner
}

// spansOf returns the bytes of a box in a tensor as the fewest spans, ascending. Elements of less than a
// byte take whole bytes.
func spansOf(shape []int64, bits int64, box op.Box) []span {
	if volume(box) == 0 {
		return nil
	}
	inner := innermost(shape, box)
	length := int64(1) // contiguous elements
	for _, d := range shape[inner:] {
		length *= d
	}
	if inner == 0 {
		return []span{{0, sizeOf(length, bits)}}
	}
	axis := inner - 1
	stride := make([]int64, inner)
	stride[axis] = length
	for k := axis - 1; k >= 0; k-- {
		stride[k] = stride[k+1] * shape[k+1]
	}
	var list []span
	var walk func(k int, at int64)
	walk = func(k int, at int64) {
		if k == axis {
			from, to := at+box[k].From*length, at+box[k].To*length
			list = append(list, span{from * bits / 8, (to*bits + 7) / 8})
			return
		}
		for i := box[k].From; i < box[k].To; i++ {
			walk(k+1, at+i*stride[k])
		}
	}
	walk(0, 0)
	return list
}
