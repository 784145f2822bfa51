package split

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

func (c *candidate) depthToSpace() string {
	b, ok := op.BlockSize(c.model, c.op.Operator)
	if !ok {
		return "it has no options"
	}
	in, why := c.cut(0)
	switch {
	case why != "":
		return why
	case b <= 0 || in.c != saturatingMul(b, b, c.op.size.c) || c.op.size.h != in.h*b || c.op.size.w != in.w*b || !c.sameTypes():
		return "its output does not follow from its input"
	}
	r := c.reads()[0]
	c.op.geometry = enlarge{y: enlargedAxis{Axis: r[1]}, x: enlargedAxis{Axis: r[2]}}
	return ""
}

func (c *candidate) spaceToDepth() string {
	b, ok := op.BlockSize(c.model, c.op.Operator)
	if !ok {
		return "it has no options"
	}
	in, why := c.cut(0)
	switch {
	case why != "":
		return why
	case b <= 0 || c.op.size.c != saturatingMul(b, b, in.c) || in.h != saturatingMul(c.op.size.h, b) || in.w != saturatingMul(c.op.size.w, b) || !c.sameTypes():
		return "its output does not follow from its input"
	}
	c.op.geometry = newPointwise(&c.op.size, []layout{in}, c.reads())
	return ""
}

func (c *candidate) nearest() string {
	how, ok := op.ResizeOf(c.model, c.op.Operator)
	switch {
	case !ok:
		return "it has no options"
	case how.AlignCorners:
		return "it aligns corners"
	}
	return c.resize(how)
}

func (c *candidate) bilinear() string {
	how, ok := op.ResizeOf(c.model, c.op.Operator)
	switch {
	case !ok:
		return "it has no options"
	case how.AlignCorners && how.HalfPixelCenters:
		return "it has two ways to place pixels"
	}
	return c.resize(how)
}

func (c *candidate) resize(how op.Resize) string {
	in, why := c.cut(0)
	if why != "" {
		return why
	}
	size := c.input(1)
	if size == nil || size.Type != schema.TensorTypeINT32 || len(c.model.Buffer(size).Data) != 8 {
		return "its size is not a constant"
	}
	y, okY := how.Along(0, in.h, c.op.size.h)
	x, okX := how.Along(1, in.w, c.op.size.w)
	switch {
	case in.c != c.op.size.c || !c.sameTypes():
		return "its output does not follow from its input"
	case !okY || !okX:
		return fmt.Sprintf("tiles of %dx%d would be resized to %dx%d differently from the whole", in.h, in.w, c.op.size.h, c.op.size.w)
	}
	c.op.geometry = enlarge{y: enlargedAxis{y, how.AlignCorners}, x: enlargedAxis{x, how.AlignCorners}, sized: true}
	return ""
}

func (c *candidate) transposeConv() string {
	w, ok := c.window()
	if !ok {
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
	if w.Padding != schema.PaddingSAME && w.Padding != schema.PaddingVALID {
		return "its padding is neither SAME nor VALID"
	}
	y, okY := newTransposeConvAxis(w, 0, in.h, c.op.size.h)
	x, okX := newTransposeConvAxis(w, 1, in.w, c.op.size.w)
	if !okY || !okX {
		return fmt.Sprintf("its output of %dx%d does not follow from its input of %dx%d", c.op.size.h, c.op.size.w, in.h, in.w)
	}
	c.op.geometry = transposeConv{y, x, c.op.size.c}
	return ""
}
