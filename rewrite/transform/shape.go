package transform

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// shaped returns a tensor with the elements of t in another shape: t itself, a constant, or the output of a
// RESHAPE.
func (c *change) shaped(t *tflite.Tensor, shape ...int32) int {
	switch {
	case slices.Equal(t.Shape, shape):
		return t.Index
	case c.site.stored(t) && !slices.ContainsFunc(c.reshaped, func(r edit.Reshaped) bool { return r.Tensor == t.Index }):
		return c.constant(t, shape...)
	}
	return c.reshape(t.Index, t, shape...)
}

// into calls make with a tensor of a shape, whose elements become those of t: t itself, or the input of a
// RESHAPE to it.
func (c *change) into(t *tflite.Tensor, shape []int32, make func(output int)) {
	if slices.Equal(t.Shape, shape) {
		make(t.Index)
		return
	}
	output := c.like(t, shape...)
	make(output)
	c.reshapeTo(output, t.Index, t.Shape...)
}

// becomes reports whether a tensor can take its elements from one of a shape: a RESHAPE cannot make a scalar.
func becomes(t *tflite.Tensor, shape []int32) bool {
	return len(t.Shape) > 0 || len(shape) == 0
}

// numbers adds a constant of INT32 with a shape.
func (c *change) numbers(name string, shape []int32, values ...int64) int {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(int32(v)))
	}
	return c.tensor(edit.Tensor{Name: name, Like: -1, Type: schema.TensorTypeINT32, Shape: shape, Data: data})
}

// A run is a range of consecutive dimensions, [from, to).
type run struct{ from, to int }

// runs groups n dimensions. Single ones, of one element, join any neighbour. Two others that follow one another,
// apart from single ones, join if joins says so. There is at least one run if there is a dimension.
func runs(n int, single func(i int) bool, joins func(a, b int) bool) (list []run) {
	last := -1
	for i := range n {
		if len(list) == 0 || !single(i) && last >= 0 && !joins(last, i) {
			list = append(list, run{i, i})
		}
		list[len(list)-1].to = i + 1
		if !single(i) {
			last = i
		}
	}
	return list
}

// merged returns a shape with one dimension for each run.
func merged(shape []int32, list []run) (to []int32) {
	for _, r := range list {
		to = append(to, int32(elements(shape[r.from:r.to])))
	}
	return to
}

// ranked returns a shape with ones before it, to a rank.
func ranked(shape []int32, rank int) []int32 {
	to := slices.Clone(shape)
	for len(to) < rank {
		to = slices.Insert(to, 0, 1)
	}
	return to
}

// spread returns runs of the dimensions of an output in which the same inputs, of as many dimensions, are
// broadcast.
func spread(out []int32, inputs ...[]int32) []run {
	return runs(len(out), func(i int) bool { return out[i] == 1 }, func(a, b int) bool {
		return !slices.ContainsFunc(inputs, func(in []int32) bool { return (in[a] == 1) != (in[b] == 1) })
	})
}

// broadcast reports whether inputs of as many dimensions as an output can be broadcast to it.
func broadcast(out []int32, inputs ...[]int32) bool {
	for i := range out {
		for _, in := range inputs {
			if len(in) != len(out) || in[i] != out[i] && in[i] != 1 {
				return false
			}
		}
	}
	return true
}
