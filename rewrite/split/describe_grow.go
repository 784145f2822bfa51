package split

import (
	"fmt"
	"math/bits"

	"github.com/tflarena/tflarena/schema"
)

func (c *candidate) depthToSpace() string {
	var o schema.DepthToSpaceOptions
	if !c.op.Options(schema.BuiltinOptionsDepthToSpaceOptions, &o) {
		return "it has no options"
	}
	in, why := c.cut(0)
	b := int64(o.BlockSize())
	switch {
	case why != "":
		return why
	case b <= 0 || in.c != times(b, b, c.op.size.c) || c.op.size.h != in.h*b || c.op.size.w != in.w*b || !c.alike():
		return "its output does not follow from its input"
	}
	c.op.geometry = grow{
		y: enlarging{in: in.h, out: c.op.size.h, factor: b},
		x: enlarging{in: in.w, out: c.op.size.w, factor: b},
	}
	return ""
}

func (c *candidate) spaceToDepth() string {
	var o schema.SpaceToDepthOptions
	if !c.op.Options(schema.BuiltinOptionsSpaceToDepthOptions, &o) {
		return "it has no options"
	}
	in, why := c.cut(0)
	b := int64(o.BlockSize())
	switch {
	case why != "":
		return why
	case b <= 0 || c.op.size.c != times(b, b, in.c) || in.h != times(c.op.size.h, b) || in.w != times(c.op.size.w, b) || !c.alike():
		return "its output does not follow from its input"
	}
	c.op.geometry = fold{b}
	return ""
}

func (c *candidate) nearest() string {
	var o schema.ResizeNearestNeighborOptions
	if !c.op.Options(schema.BuiltinOptionsResizeNearestNeighborOptions, &o) {
		return "it has no options"
	}
	if o.AlignCorners() {
		return "it aligns corners"
	}
	along := func(in, out int64) (enlarging, bool) {
		return enlarging{in: in, out: out, factor: out / in}, repeatsExactly(in, out, o.HalfPixelCenters())
	}
	return c.resize(along)
}

// maxExact is up to which size positions are numbers that a float of 32 bits holds, with
// bits to spare for their fractions.
const maxExact = 1 << 16

// repeatsExactly says whether each row of an enlarged picture is the one that stands for
// it, as kernels calculate with floats: then it is so in every piece.
func repeatsExactly(in, out int64, half bool) bool {
	if in > out || out%in != 0 || out > maxExact {
		return false
	}
	scale, offset := float32(in)/float32(out), float32(0)
	if half {
		offset = 0.5
	}
	for y := range out {
		if int64((float32(y)+offset)*scale) != y/(out/in) {
			return false
		}
	}
	return true
}

// bilinear is exact where a step from row to row is the same number for each piece, and
// a whole number of steps leads from a row of the input to the next: powers of two, both
// for floats and for the 10 bits of integer kernels.
func (c *candidate) bilinear() string {
	var o schema.ResizeBilinearOptions
	if !c.op.Options(schema.BuiltinOptionsResizeBilinearOptions, &o) {
		return "it has no options"
	}
	along := func(in, out int64) (enlarging, bool) {
		e := enlarging{in: in, out: out, below: 1, corners: o.AlignCorners()}
		if o.HalfPixelCenters() {
			e.above = 1
		}
		if e.corners {
			in, out = in-1, out-1
		}
		if in <= 0 || out%in != 0 || out > maxExact {
			return e, false
		}
		e.factor = out / in
		return e, bits.OnesCount64(uint64(e.factor)) == 1 && e.factor <= 1<<10
	}
	if o.AlignCorners() && o.HalfPixelCenters() {
		return "it has two ways to place pixels"
	}
	return c.resize(along)
}

func (c *candidate) resize(along func(in, out int64) (enlarging, bool)) string {
	in, why := c.cut(0)
	if why != "" {
		return why
	}
	size := c.input(1)
	if size == nil || size.Type != schema.TensorTypeINT32 || len(c.model.Buffer(size).Data) != 8 {
		return "its size is not a constant"
	}
	y, okY := along(in.h, c.op.size.h)
	x, okX := along(in.w, c.op.size.w)
	switch {
	case in.c != c.op.size.c || !c.alike():
		return "its output does not follow from its input"
	case !okY || !okX:
		return fmt.Sprintf("pieces of %dx%d would be resized to %dx%d otherwise than the whole", in.h, in.w, c.op.size.h, c.op.size.w)
	}
	c.op.geometry = grow{y: y, x: x, sized: true}
	return ""
}

func (c *candidate) transposeConv() string {
	var o schema.TransposeConvOptions
	if !c.op.Options(schema.BuiltinOptionsTransposeConvOptions, &o) {
		return "it has no options"
	}
	in, filter, why := c.weighted(2)
	if why != "" {
		return why
	}
	shape := c.input(0)
	if shape == nil || shape.Type != schema.TensorTypeINT32 || len(c.model.Buffer(shape).Data) != 16 {
		return "its size is not a constant"
	}
	if int64(filter[3]) != in.c || int64(filter[0]) != c.op.size.c {
		return fmt.Sprintf("its filter %v does not fit %d channels", filter, in.c)
	}
	same := o.Padding() == schema.PaddingSAME
	if !same && o.Padding() != schema.PaddingVALID {
		return "its padding is neither SAME nor VALID"
	}
	y, okY := newScattering(in.h, c.op.size.h, int64(filter[1]), int64(o.StrideH()), same)
	x, okX := newScattering(in.w, c.op.size.w, int64(filter[2]), int64(o.StrideW()), same)
	if !okY || !okX {
		return fmt.Sprintf("its output of %dx%d does not follow from its input of %dx%d", c.op.size.h, c.op.size.w, in.h, in.w)
	}
	c.op.geometry = scatter{y, x, c.op.size.c}
	return ""
}
