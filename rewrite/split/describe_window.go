package split

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/schema"
)

// A slide is how a kernel moves over the picture, as options say it.
type slide struct {
	padding          schema.Padding
	strideH, strideW int32
	dilateH, dilateW int32
	kernelH, kernelW int64
	channels         int64 // of the output
}

func (c *candidate) conv2D() string {
	var o schema.Conv2DOptions
	if !c.op.Options(schema.BuiltinOptionsConv2DOptions, &o) {
		return "it has no options"
	}
	s := slide{padding: o.Padding(), strideH: o.StrideH(), strideW: o.StrideW(), dilateH: o.DilationHFactor(), dilateW: o.DilationWFactor()}
	in, filter, why := c.weighted(0)
	if why != "" {
		return why
	}
	s.kernelH, s.kernelW, s.channels = int64(filter[1]), int64(filter[2]), int64(filter[0])
	if filter[3] <= 0 || in.c%int64(filter[3]) != 0 {
		return fmt.Sprintf("its filter %v does not fit %d channels", filter, in.c)
	}
	return c.slide(in, s)
}

func (c *candidate) depthwise() string {
	var o schema.DepthwiseConv2DOptions
	if !c.op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &o) {
		return "it has no options"
	}
	s := slide{padding: o.Padding(), strideH: o.StrideH(), strideW: o.StrideW(), dilateH: o.DilationHFactor(), dilateW: o.DilationWFactor()}
	in, filter, why := c.weighted(0)
	if why != "" {
		return why
	}
	s.kernelH, s.kernelW, s.channels = int64(filter[1]), int64(filter[2]), int64(filter[3])
	if filter[0] != 1 || s.channels%in.c != 0 {
		return fmt.Sprintf("its filter %v does not fit %d channels", filter, in.c)
	}
	return c.slide(in, s)
}

// weighted returns the input and the filter's shape of a convolution. Filters of another
// type than the input mean that LiteRT quantises the input at run time, by the largest
// value in it, which differs from piece to piece.
func (c *candidate) weighted(position int) (in picture, filter []int32, why string) {
	if in, why = c.cut(position); why != "" {
		return in, nil, why
	}
	weights := c.input(1)
	if weights == nil || len(weights.Shape) != 4 {
		return in, nil, "it has no filter of rank 4"
	}
	byType := map[schema.TensorType][]schema.TensorType{
		schema.TensorTypeFLOAT32: {schema.TensorTypeFLOAT32},
		schema.TensorTypeINT8:    {schema.TensorTypeINT8, schema.TensorTypeINT4},
		schema.TensorTypeINT16:   {schema.TensorTypeINT8},
		schema.TensorTypeUINT8:   {schema.TensorTypeUINT8},
	}
	for _, t := range byType[c.input(position).Type] {
		if weights.Type == t && c.alike() {
			return in, weights.Shape, ""
		}
	}
	return in, nil, fmt.Sprintf("types %v, %v and %v do not go together piece by piece",
		c.input(position).Type, weights.Type, c.tensor(c.op.Outputs[0]).Type)
}

// slide sets the geometry of a convolution.
func (c *candidate) slide(in picture, s slide) string {
	y, x, why := c.axes(in, s)
	if why != "" {
		return why
	}
	if s.channels != c.op.size.c {
		return fmt.Sprintf("its output has %d channels and its filter %d", c.op.size.c, s.channels)
	}
	c.op.geometry = window{y: y, x: x, same: s.padding == schema.PaddingSAME}
	return ""
}

func (c *candidate) axes(in picture, s slide) (y, x axis, why string) {
	same := s.padding == schema.PaddingSAME
	if !same && s.padding != schema.PaddingVALID {
		return y, x, "its padding is neither SAME nor VALID"
	}
	y, okY := newAxis(in.h, c.op.size.h, s.kernelH, int64(s.strideH), int64(s.dilateH), same)
	x, okX := newAxis(in.w, c.op.size.w, s.kernelW, int64(s.strideW), int64(s.dilateW), same)
	if !okY || !okX {
		return y, x, fmt.Sprintf("its output of %dx%d does not follow from its input of %dx%d", c.op.size.h, c.op.size.w, in.h, in.w)
	}
	return y, x, ""
}

func (c *candidate) pool() string {
	var o schema.Pool2DOptions
	if !c.op.Options(schema.BuiltinOptionsPool2DOptions, &o) {
		return "it has no options"
	}
	in, why := c.cut(0)
	switch {
	case why != "":
		return why
	case !c.alike():
		return "its output is of another type"
	case in.c != c.op.size.c:
		return "its output has another number of channels"
	}
	y, x, why := c.axes(in, slide{
		padding: o.Padding(), strideH: o.StrideH(), strideW: o.StrideW(), dilateH: 1, dilateW: 1,
		kernelH: int64(o.FilterHeight()), kernelW: int64(o.FilterWidth()),
	})
	if why != "" {
		return why
	}
	if y.before+y.after+x.before+x.after == 0 {
		c.op.geometry = window{y: y, x: x, same: o.Padding() == schema.PaddingSAME}
		return ""
	}
	c.op.geometry = carrying{y, x}
	return ""
}

// times multiplies sizes that are not negative, and stays at the largest number.
func times(factors ...int64) int64 {
	n := int64(1)
	for _, f := range factors {
		if f != 0 && n > math.MaxInt64/f {
			return math.MaxInt64
		}
		n *= f
	}
	return n
}
