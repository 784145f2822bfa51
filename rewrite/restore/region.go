package restore

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// span is the half-open range [from, to) of a dimension.
type span struct{ from, to int64 }

// region returns the original that a tensor is or is a tile of, and the range of each of its
// dimensions; -1 if there is none.
func (b *block) region(t int) (original int, r []span) {
	if original = b.whole(t); original < 0 {
		return -1, nil
	}
	shape, start := b.sub.Tensors[t].Shape, int64(0)
	if t >= b.First {
		start = b.Tiles[t-b.First].Start
	}
	whole := b.Originals[original].Shape
	if empty(&b.sub.Tensors[t]) || len(shape) != len(whole) {
		return -1, nil
	}
	r = make([]span, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		n := int64(max(whole[d], 1))
		r[d] = span{start % n, start%n + int64(shape[d])}
		start /= n
	}
	return original, r
}

// copies reports whether an operator that cuts or joins tiles of an original copies what their
// positions tell. Tiles of another original have positions of their own.
func (b *block) copies(o *tflite.Operator, parts []int) bool {
	original, out := b.region(o.Outputs[0])
	if original < 0 {
		return false
	}
	if b.builtin(o.Code) == schema.BuiltinOperatorCONCATENATION {
		axis, ok := op.JoinedAlong(o)
		if axis < 0 {
			axis += len(out)
		}
		if !ok || axis < 0 || axis >= len(out) {
			return false
		}
		at := out[axis].from
		for _, t := range parts {
			if axis >= len(b.sub.Tensors[t].Shape) {
				return false
			}
			want := slices.Clone(out)
			want[axis] = span{at, at + int64(b.sub.Tensors[t].Shape[axis])}
			if of, in := b.region(t); of == original && !slices.Equal(in, want) {
				return false
			}
			at = want[axis].to
		}
		return at == out[axis].to
	}
	of, in := b.region(parts[0])
	begin, ok := op.Cut(b.model, b.sub, o)
	if !ok || of == original && len(begin) != len(in) {
		return false
	}
	for d := range in {
		if of == original && in[d].from+begin[d] != out[d].from {
			return false
		}
	}
	return true
}

// aligned reports whether the constants that an operator applied to tiles reads, and in a slice of
// the channels all of its tiles, are at the position of its output.
func (b *block) aligned(o *tflite.Operator) bool {
	original, out := b.region(o.Outputs[0])
	if original < 0 {
		return false
	}
	whole := b.Originals[original].Shape
	strict := func(r []span, shape []int32) (list []int) {
		for d := range r {
			if r[d] != (span{0, int64(shape[d])}) {
				list = append(list, d)
			}
		}
		return list
	}
	last := len(out) - 1
	channels := slices.Equal(strict(out, whole), []int{last})
	for _, t := range o.Inputs {
		if t < b.First {
			continue
		}
		of, in := b.region(t)
		if of < 0 || !channels && !b.sub.Tensors[t].Constant {
			continue
		}
		shape := b.Originals[of].Shape
		for i, d := range strict(in, shape) {
			at := d + len(out) - len(in) // constants are aligned at their last dimensions
			if channels {
				at = last
			}
			if channels && i > 0 || at < 0 || at > last || in[d].from*int64(whole[at]) != out[at].from*int64(shape[d]) || in[d].to*int64(whole[at]) != out[at].to*int64(shape[d]) {
				return false
			}
		}
	}
	return true
}
