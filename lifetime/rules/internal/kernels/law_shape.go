package kernels

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Requirements of kernels on shapes.

// resize requires a constant size.
var resize = laws(counts(2, 2, 1), twoIn, ranks(input(0), 4, 4), ranks(input(1), 1, 1), elements(input(1), 2), takes(input(1), i32), constant(input(1), "size"))

// bothCorners rejects aligned corners together with half-pixel centers.
var bothCorners = prepare(func(k *Kernel) string {
	var o schema.ResizeBilinearOptions
	if k.op.Options(schema.BuiltinOptionsResizeBilinearOptions, &o) && o.AlignCorners() && o.HalfPixelCenters() {
		return "it has both align_corners and half_pixel_centers"
	}
	return ""
})

// blockSize requires a block size.
var blockSize = prepare(func(k *Kernel) string {
	var d schema.DepthToSpaceOptions
	var s schema.SpaceToDepthOptions
	n := int32(0)
	if k.op.Options(schema.BuiltinOptionsDepthToSpaceOptions, &d) {
		n = d.BlockSize()
	} else if k.op.Options(schema.BuiltinOptionsSpaceToDepthOptions, &s) {
		n = s.BlockSize()
	}
	x := k.input(0)
	spread := k.op.Options(schema.BuiltinOptionsDepthToSpaceOptions, &d)
	if n <= 0 || spread && int64(x.Shape[3])%(int64(n)*int64(n)) != 0 || !spread && (x.Shape[1]%n != 0 || x.Shape[2]%n != 0) {
		return fmt.Sprintf("its input of the shape %v does not consist of blocks of %d", x.Shape, n)
	}
	return ""
})

// oneElement requires a scalar.
func oneElement(o operand) law { return ranks(o, 0, 0) }

// reshaped requires that the output hold the elements of the input, except for one -1.
var reshaped = prepare(func(k *Kernel) string {
	x, o := k.input(0), k.output(0)
	if x == nil || o == nil {
		return ""
	}
	n, known := int64(1), true
	for _, d := range o.Shape {
		if d == -1 {
			known = false
			continue
		}
		n *= int64(max(d, 0))
		if n > MaxSize {
			return ""
		}
	}
	all := Elements(x)
	if len(o.Shape) == 1 && o.Shape[0] == 0 { // the old form of a scalar
		n = 1
	}
	if known && n != all || !known && (n == 0 || all%n != 0) {
		return fmt.Sprintf("its input has the shape %v and its output %v, which hold different numbers of elements", x.Shape, o.Shape)
	}
	return ""
})

// oneScaleOnly requires per-tensor quantisation.
func oneScaleOnly(o operand) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && quantumOf(t).scales != 1 {
			return fmt.Sprintf("its %v has %d scales, and the kernel takes one", o, quantumOf(t).scales)
		}
		return ""
	})
}

// shapeIs requires that a constant hold the shape of the output.
func shapeIs(o operand) law {
	return prepare(func(k *Kernel) string {
		t, y := k.operand(o), k.output(0)
		if t == nil || !k.isConstant(t) {
			return ""
		}
		list := k.integers(t)
		list = list[:min(len(list), int(Elements(t)))]
		if !slices.EqualFunc(list, y.Shape, func(a int64, b int32) bool { return a == int64(b) }) {
			return fmt.Sprintf("its output has the shape %v, and its %v says %v", y.Shape, o, list)
		}
		return ""
	})
}

// spreads requires that the input can be broadcast to the output.
var spreads = prepare(func(k *Kernel) string {
	x, y := k.input(0).Shape, k.output(0).Shape
	for i := range x {
		if len(x) > len(y) || x[i] != 1 && x[i] != y[len(y)-len(x)+i] {
			return fmt.Sprintf("its input of the shape %v cannot be broadcast to %v", x, y)
		}
	}
	return ""
})

// broadcast returns the broadcast shape.
func broadcast(shapes ...[]int32) (to []int32, ok bool) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	to = make([]int32, rank)
	for i := range to {
		to[i] = 1
		for _, s := range shapes {
			at := i - rank + len(s)
			if at < 0 || s[at] == 1 {
				continue
			}
			if to[i] != 1 && to[i] != s[at] {
				return nil, false
			}
			to[i] = s[at]
		}
	}
	return to, true
}

// elementsOf returns the number of elements of a shape; at most [MaxSize]. An unknown
// dimension counts as 0.
func elementsOf(shape []int32) int64 {
	n := int64(1)
	for _, d := range shape {
		if n *= int64(max(d, 0)); n > MaxSize {
			return MaxSize
		}
	}
	return n
}

// expanded requires that EXPAND_DIMS have the derived output shape.
var expanded = prepare(func(k *Kernel) string {
	x, o := k.input(0), k.output(0)
	axis := k.constants(k.input(1))
	if len(axis) == 0 {
		return ""
	}
	at := int(axis[0])
	if at < 0 {
		at += len(x.Shape) + 1
	}
	if at < 0 || at > len(x.Shape) || !slices.Equal(slices.Insert(slices.Clone(x.Shape), at, 1), o.Shape) {
		return fmt.Sprintf("its input has the shape %v, its axis is %d and its output has the shape %v", x.Shape, axis[0], o.Shape)
	}
	return ""
})

// selected requires that the output have the broadcast shape of the inputs, if these differ.
var selected = prepare(func(k *Kernel) string {
	c, x, y, o := k.input(0), k.input(1), k.input(2), k.output(0)
	if slices.Equal(c.Shape, x.Shape) && slices.Equal(x.Shape, y.Shape) {
		return ""
	}
	if to, ok := broadcast(c.Shape, x.Shape, y.Shape); !ok || !slices.Equal(to, o.Shape) {
		return fmt.Sprintf("its inputs have the shapes %v, %v and %v and its output %v", c.Shape, x.Shape, y.Shape, o.Shape)
	}
	return ""
})

// axisWithin requires that constant axes be dimensions of an operand.
//
//go:noinline
func axisWithin(axes, o operand) law {
	return prepare(func(k *Kernel) string {
		a, t := k.operand(axes), k.operand(o)
		if a == nil || t == nil {
			return ""
		}
		list := k.words(a)
		for _, axis := range list[:min(len(list), int(Elements(a)))] {
			if int(axis) < -len(t.Shape) || int(axis) >= len(t.Shape) {
				return fmt.Sprintf("its axis is %d, and its %v has %d dimensions", axis, o, len(t.Shape))
			}
		}
		return ""
	})
}

// permuted requires a permutation of the dimensions.
var permuted = prepare(func(k *Kernel) string {
	p, rank := k.input(1), len(k.input(0).Shape)
	if len(p.Shape) != 1 || int(p.Shape[0]) != rank {
		return fmt.Sprintf("its input has the shape %v and its permutation %v", k.input(0).Shape, p.Shape)
	}
	list := k.words(p)
	for _, d := range list[:min(len(list), rank)] {
		if d < 0 || int(d) >= rank {
			return fmt.Sprintf("its permutation has the number %d, and the kernel takes 0 to %d", d, rank-1)
		}
	}
	return ""
})

// contiguous requires consecutive axes.
var contiguous = eval(func(k *Kernel) string {
	rank := int32(len(k.input(0).Shape))
	axes := slices.Clone(k.constants(k.input(1)))
	for i := range axes {
		if axes[i] < 0 {
			axes[i] += rank
		}
	}
	slices.Sort(axes)
	for i := 1; i < len(axes); i++ {
		if axes[i] != axes[i-1]+1 {
			return fmt.Sprintf("its axes are %v, and the kernel takes those that follow one another", axes)
		}
	}
	return ""
})

// blocksDivide requires non-zero blocks in the dimensions that the kernel divides by them.
var blocksDivide = eval(func(k *Kernel) string {
	list := k.words(k.input(1))
	for _, n := range list[:min(len(list), len(k.input(0).Shape)-2)] {
		if n == 0 {
			return "it has a block of 0, as the kernel reads it, and divides by it"
		}
	}
	return ""
})

// packed requires that PACK have as many inputs as its options specify.
var packed = prepare(func(k *Kernel) string {
	if why := k.allInputs(); why != "" {
		return why
	}
	var o schema.PackOptions
	if k.op.Options(schema.BuiltinOptionsPackOptions, &o) && int(o.ValuesCount()) > len(k.op.Inputs) {
		return fmt.Sprintf("it has %d inputs, and its options count %d", len(k.op.Inputs), o.ValuesCount())
	}
	return ""
})

// allInputs returns the first absent input, as a violation.
func (k *Kernel) allInputs() string {
	if i := slices.Index(k.op.Inputs, -1); i >= 0 {
		return fmt.Sprintf("its input %d is absent", i)
	}
	return ""
}

// squeezed requires that the output have room for the remaining dimensions.
var squeezed = prepare(func(k *Kernel) string {
	x, o := k.input(0), k.output(0)
	gone, why := k.squeezeDims(len(x.Shape))
	if why != "" {
		return why
	}
	at := 0
	for i, d := range x.Shape {
		if gone == nil && d == 1 || gone[i] {
			if d != 1 {
				return fmt.Sprintf("it squeezes dimension %d of the shape %v", i, x.Shape)
			}
			continue
		}
		if at >= len(o.Shape) || o.Shape[at] < d {
			return fmt.Sprintf("its input has the shape %v and its output %v, which has no room for it", x.Shape, o.Shape)
		}
		at++
	}
	return ""
})

// squeezeDims returns the dimensions in the options, or nil.
func (k *Kernel) squeezeDims(rank int) (gone map[int]bool, why string) {
	var p schema.SqueezeOptions
	if !k.op.Options(schema.BuiltinOptionsSqueezeOptions, &p) || p.SqueezeDimsLength() == 0 {
		return nil, ""
	}
	gone = map[int]bool{}
	for i := range p.SqueezeDimsLength() {
		d := int(p.SqueezeDims(i))
		if d < 0 {
			d += rank
		}
		if d < 0 || d >= rank {
			return nil, fmt.Sprintf("it squeezes dimension %d of %d", p.SqueezeDims(i), rank)
		}
		gone[d] = true
	}
	return gone, ""
}

// sameBytes requires that two operands have equal sizes in bytes.
func sameBytes(a, b operand) law {
	return prepare(func(k *Kernel) string {
		x, y := k.operand(a), k.operand(b)
		if x != nil && y != nil && Elements(x)*ElementBits(x.Type) != Elements(y)*ElementBits(y.Type) {
			return fmt.Sprintf("its %v is %v%v and its %v %v%v, which take different numbers of bytes", a, x.Type, x.Shape, b, y.Type, y.Shape)
		}
		return ""
	})
}

// moreDimensions requires n more output than input dimensions.
//
//go:noinline
func moreDimensions(n int) law {
	return prepare(func(k *Kernel) string {
		if x, o := k.input(0), k.output(0); x != nil && o != nil && len(o.Shape) != len(x.Shape)+n {
			return fmt.Sprintf("its input has the shape %v and its output %v", x.Shape, o.Shape)
		}
		return ""
	})
}

// words returns the first 32-bit words of a constant of any type, limited to the number that
// kernels compare with dimensions.
func (k *Kernel) words(t *tflite.Tensor) []int32 {
	if t == nil || !k.isConstant(t) {
		return nil
	}
	data := k.model.Buffer(t).Data
	list := make([]int32, min(len(data)/4, 2*maxRank))
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return list
}

// integers returns the first elements of an integer constant, limited to the number that
// kernels compare with dimensions; nil for other tensors.
func (k *Kernel) integers(t *tflite.Tensor) []int64 {
	if t == nil || !k.isConstant(t) {
		return nil
	}
	var at func(data []byte) int64
	switch t.Type {
	case i8:
		at = func(data []byte) int64 { return int64(int8(data[0])) }
	case i16:
		at = func(data []byte) int64 { return int64(int16(binary.LittleEndian.Uint16(data))) }
	case i32:
		at = func(data []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(data))) }
	case i64:
		at = func(data []byte) int64 { return int64(binary.LittleEndian.Uint64(data)) }
	default:
		return nil
	}
	data, width := k.model.Buffer(t).Data, int(ElementBits(t.Type)/8)
	list := make([]int64, min(len(data)/width, 2*maxRank))
	for i := range list {
		list[i] = at(data[width*i:])
	}
	return list
}

// constants returns the first elements of an INT32 constant, limited to the number that kernels
// compare with dimensions.
func (k *Kernel) constants(t *tflite.Tensor) []int32 {
	if t == nil || t.Type != i32 || !k.isConstant(t) {
		return nil
	}
	data := k.model.Buffer(t).Data
	list := make([]int32, min(len(data)/4, 2*maxRank))
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return list
}
