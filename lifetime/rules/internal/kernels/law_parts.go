package kernels

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Requirements of kernels that split or join tensors.

// arg is ARG_MAX and ARG_MIN.
var arg = laws(later(has(input(0), input(1), output(0)), takes(input(1), i32), takes(output(0), i32), takes(input(0), f32, i8)))

// reduction requires INT32 axes within the input.
var reduction = laws(counts(2, 2, 1), twoIn, takes(input(1), i32), later(axisWithin(input(1), input(0))))

// extremum is REDUCE_MAX and REDUCE_MIN.
var extremum = laws(reduction, later(takes(input(0), f32, i8), alike(input(0), output(0))), when(of(input(0), i8), eval(func(k *Kernel) string {
	if a, b := quantumOf(k.input(0)), quantumOf(k.output(0)); a.scale != b.scale || a.zero != b.zero {
		return "its input and its output are quantised in two ways"
	}
	return ""
})))

// noActivation rejects a fused activation.
var noActivation = prepare(func(k *Kernel) string {
	var n schema.L2NormOptions
	var c schema.ConcatenationOptions
	a := schema.ActivationFunctionTypeNONE
	if k.op.Options(schema.BuiltinOptionsL2NormOptions, &n) {
		a = n.FusedActivationFunction()
	} else if k.op.Options(schema.BuiltinOptionsConcatenationOptions, &c) {
		a = c.FusedActivationFunction()
	}
	if _, known := schema.EnumNamesActivationFunctionType[a]; known && a != schema.ActivationFunctionTypeNONE {
		return fmt.Sprintf("it has the fused activation %v, which the kernel does not", a)
	}
	return ""
})

// maxConcatenated is the largest number of inputs of CONCATENATION.
const maxConcatenated = 10

var concatenation = laws(counts(1, maxConcatenated, 1), noActivation, has(input(0), output(0)), alike(input(0), output(0)),
	takes(input(0), f32, i8, i16, i32, i64, boolean), prepare(func(k *Kernel) string {
		o := k.output(0)
		q := quantumOf(o)
		for i := range k.op.Inputs {
			t := k.input(i)
			switch {
			case t == nil:
				return fmt.Sprintf("its input %d is absent", i)
			case t.Type != o.Type:
				return fmt.Sprintf("its input %d has the type %v and its output %v, and they must be alike", i, t.Type, o.Type)
			case len(t.Shape) > 6:
				return fmt.Sprintf("its input %d has %d dimensions", i, len(t.Shape))
			case o.Type == i8 && (quantumOf(t).scale != q.scale || quantumOf(t).zero != q.zero):
				return fmt.Sprintf("its input %d is INT8 and not quantised as its output", i)
			case o.Type == i16 && (quantumOf(t).zero != 0 || q.zero != 0):
				return "it is INT16 with a zero point that is not 0"
			}
		}
		return ""
	}), joined)

// joined requires that the inputs have the dimensions of the output.
var joined = eval(func(k *Kernel) string {
	o := k.output(0)
	for i := range k.op.Inputs {
		if t := k.input(i); len(t.Shape) != len(o.Shape) {
			return fmt.Sprintf("its input %d has the shape %v and its output %v", i, t.Shape, o.Shape)
		}
	}
	return ""
})

// embedded holds the requirements of EMBEDDING_LOOKUP on its values and its output.
var embedded = laws(
	when(of(input(1), f32), takes(output(0), f32)), when(of(input(1), i8), takes(output(0), f32, i8)),
	when(func(k *Kernel) bool { return of(input(1), i8)(k) && of(output(0), f32)(k) }, zeroAt(0, input(1))),
)

// padding is PAD and PADV2.
var padding = laws(counts(2, 3, 1), twoIn, alike(input(0), output(0)), ranks(input(0), 0, 5), constant(input(1), "paddings"), prepare(func(k *Kernel) string {
	x, value, o := k.input(0), k.input(2), k.output(0)
	by := k.words(k.input(1))
	switch {
	case Elements(k.input(1)) != 2*int64(len(o.Shape)) || len(x.Shape) != len(o.Shape):
		return fmt.Sprintf("its input, paddings and output have the shapes %v, %v and %v", x.Shape, k.input(1).Shape, o.Shape)
	case value != nil && Elements(value) != 1:
		return fmt.Sprintf("its padding value has the shape %v", value.Shape)
	case value != nil && value.Type != x.Type:
		return fmt.Sprintf("its input has the type %v and its padding value %v, and they must be alike", x.Type, value.Type)
	}
	for i := range o.Shape {
		if 2*i+1 < len(by) && x.Shape[i]+by[2*i]+by[2*i+1] != o.Shape[i] {
			return fmt.Sprintf("its input has the shape %v, its paddings are %v and its output has the shape %v", x.Shape, by, o.Shape)
		}
	}
	if value == nil || o.Type != i8 {
		return ""
	}
	if a, b := quantumOf(value), quantumOf(o); a.scale != b.scale || a.zero != b.zero {
		return "its padding value and its output are quantised in two ways"
	}
	return ""
}), later(takes(input(0), f32, i8, i16, i32)))

// updated requires that the update of DYNAMIC_UPDATE_SLICE fit into the updated tensor.
var updated = prepare(func(k *Kernel) string {
	x, u, at := k.input(0), k.input(1), k.input(2)
	ok := len(u.Shape) == len(x.Shape) && len(at.Shape) == 1 && int(at.Shape[0]) == len(x.Shape)
	for i := range x.Shape {
		ok = ok && u.Shape[i] <= x.Shape[i]
	}
	if !ok {
		return fmt.Sprintf("an update of the shape %v at %v places does not go into %v", u.Shape, at.Shape, x.Shape)
	}
	return ""
})

// lookedUp requires that the output of EMBEDDING_LOOKUP have room for the rows looked up.
var lookedUp = prepare(func(k *Kernel) string {
	ids, rows, o := k.input(0), k.input(1), k.output(0)
	made := append([]int32{ids.Shape[0]}, rows.Shape[1:]...)
	if len(o.Shape) < len(made) || elementsOf(o.Shape) < elementsOf(append(made, o.Shape[len(made):]...)) { // the kernel sets the first dimensions of its output
		return fmt.Sprintf("it looks up %v rows of %v, and its output has the shape %v", ids.Shape, rows.Shape, o.Shape)
	}
	return ""
})

// gathered requires an axis of the input, and at most as many batch dimensions as precede it.
var gathered = prepare(func(k *Kernel) string {
	var o schema.GatherOptions
	axis, batch, rank := 0, 0, len(k.input(0).Shape)
	if k.op.Options(schema.BuiltinOptionsGatherOptions, &o) {
		axis, batch = int(o.Axis()), int(o.BatchDims())
	}
	if axis < 0 {
		axis += rank
	}
	if batch < 0 {
		batch += len(k.input(1).Shape)
	}
	if axis < 0 || axis >= rank || batch < 0 || batch > axis || batch > len(k.input(1).Shape) {
		return fmt.Sprintf("it gathers along dimension %d of %d, behind %d batch dimensions", axis, rank, batch)
	}
	if x, at := k.input(0).Shape, k.input(1).Shape; !slices.Equal(x[:batch], at[:batch]) {
		return fmt.Sprintf("its input has the shape %v and its indexes %v, with %d batch dimensions", x, at, batch)
	}
	return ""
})

// indexed requires that the indexes of GATHER_ND have at most as many numbers each as the
// kernel supports.
var indexed = prepare(func(k *Kernel) string {
	const most = 5
	x, at := k.input(0), k.input(1)
	if n := Dim(at, len(at.Shape)-1); n > most || n > int64(len(x.Shape)) {
		return fmt.Sprintf("its indexes have %d numbers each, for an input of %d dimensions", n, len(x.Shape))
	}
	return ""
})

// mirrored requires two paddings per dimension.
var mirrored = prepare(func(k *Kernel) string {
	if p := k.input(1); len(p.Shape) != 2 || int(p.Shape[0]) != len(k.input(0).Shape) || p.Shape[1] != 2 {
		return fmt.Sprintf("its input has the shape %v and its paddings %v", k.input(0).Shape, p.Shape)
	}
	return ""
})

// buffered requires that CIRCULAR_BUFFER receive one row, and keep rows of the same shape.
var buffered = prepare(func(k *Kernel) string {
	x, o := k.input(0), k.output(0)
	if len(x.Shape) < 4 || len(o.Shape) < 4 || x.Shape[0] != o.Shape[0] || x.Shape[1] != 1 || x.Shape[2] != o.Shape[2] || x.Shape[3] != o.Shape[3] {
		return fmt.Sprintf("its input has the shape %v and its output %v", x.Shape, o.Shape)
	}
	return ""
})

// transformed requires that the input of a Fourier transform be no longer than the transform.
var transformed = prepare(func(k *Kernel) string {
	x := k.input(0)
	length, ok := k.op.CustomOption("fft_length")
	if n := Dim(x, len(x.Shape)-1); ok && n > length {
		return fmt.Sprintf("it transforms %d values, and has %d", length, n)
	}
	return ""
})

// sliced requires that STRIDED_SLICE have the derived output shape; the kernel supports neither
// new axes nor an ellipsis.
var sliced = prepare(func(k *Kernel) string {
	var p schema.StridedSliceOptions
	var beginMask, endMask, shrink int32
	if k.op.Options(schema.BuiltinOptionsStridedSliceOptions, &p) {
		beginMask, endMask, shrink = p.BeginMask(), p.EndMask(), p.ShrinkAxisMask()
	}
	x, o := k.input(0), k.output(0)
	begin, end, stride := k.words(k.input(1)), k.words(k.input(2)), k.words(k.input(3))
	if min(len(begin), len(end), len(stride)) < len(x.Shape) {
		return fmt.Sprintf("its begin, end or strides say nothing of some dimensions of %v", x.Shape)
	}
	shape := []int32{}
	for i, d := range x.Shape {
		if stride[i] == 0 {
			return "a stride is 0"
		}
		n := sliceLength(int64(d), int64(begin[i]), int64(end[i]), int64(stride[i]), beginMask>>i&1 != 0, endMask>>i&1 != 0)
		if shrink>>i&1 == 0 {
			shape = append(shape, int32(n))
		}
	}
	if !slices.Equal(shape, o.Shape) {
		return fmt.Sprintf("its output has the shape %v, and the kernel makes %v", o.Shape, shape)
	}
	return ""
})

// sliceLength returns the number of elements that a slice takes of n.
func sliceLength(n, begin, end, stride int64, fromFirst, toLast bool) int64 {
	lowest, highest := int64(0), n // positions of a slice with a positive stride
	if stride < 0 {
		lowest, highest = -1, n-1
	}
	place := func(at int64, open bool, otherwise int64) int64 {
		if open {
			return otherwise
		}
		if at < 0 {
			at += n
		}
		return min(max(at, lowest), highest)
	}
	first, last := lowest, highest
	if stride < 0 {
		first, last = highest, lowest
	}
	from, to := place(begin, fromFirst, first), place(end, toLast, last)
	return max(0, int64(math.Ceil(float64(to-from)/float64(stride))))
}
