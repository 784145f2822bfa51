package split

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

func (c *candidate) conv2D() string {
	w, ok := c.window()
	if !ok {
		return "it has no options"
	}
	in, filter, why := c.weighted(0)
	if why != "" {
		return why
	}
	if filter[3] <= 0 || in.c%int64(filter[3]) != 0 {
		return fmt.Sprintf("its filter %v does not fit %d channels", filter, in.c)
	}
	return c.slide(in, w, int64(filter[0]))
}

func (c *candidate) depthwise() string {
	w, ok := c.window()
	if !ok {
		return "it has no options"
	}
	in, filter, why := c.weighted(0)
	if why != "" {
		return why
	}
	channels := int64(filter[3])
	if filter[0] != 1 || channels%in.c != 0 {
		return fmt.Sprintf("its filter %v does not fit %d channels", filter, in.c)
	}
	return c.slide(in, w, channels)
}

// window returns the operator's window, or false if it has no options.
func (c *candidate) window() (op.Window, bool) { return op.WindowOf(c.model, c.sub, c.op.Operator) }

// reads returns the regions of the tiled inputs that a region of the output reads. A file may
// list more inputs than the operator uses.
func (c *candidate) reads() (list []op.Region) {
	regions := op.Regions(c.model, c.sub, c.op.Operator, 0)
	for _, position := range c.op.uses {
		list = append(list, regions[position])
	}
	return list
}

// weighted returns the input and the filter shape of a convolution.
func (c *candidate) weighted(position int) (in layout, filter []int32, why string) {
	if in, why = c.cut(position); why != "" {
		return in, nil, why
	}
	weights := c.input(1)
	if weights == nil || len(weights.Shape) != 4 {
		return in, nil, "it has no filter of rank 4"
	}
	if why := c.weightTypes(position); why != "" {
		return in, nil, why
	}
	return in, weights.Shape, ""
}

// weightTypes returns the reason why an input and the filter or weights, input 1, do not go together tile by tile. A
// type of weights other than the input's means that LiteRT quantises the input at run time by
// its largest value, which differs between tiles.
func (c *candidate) weightTypes(position int) string {
	in, weights, out := c.input(position), c.input(1), c.tensor(c.op.Outputs[0])
	if in == nil || weights == nil {
		return "an input is missing"
	}
	byType := map[schema.TensorType][]schema.TensorType{
		schema.TensorTypeFLOAT32: {schema.TensorTypeFLOAT32},
		schema.TensorTypeINT8:    {schema.TensorTypeINT8, schema.TensorTypeINT4},
		schema.TensorTypeINT16:   {schema.TensorTypeINT8},
		schema.TensorTypeUINT8:   {schema.TensorTypeUINT8},
	}
	for _, t := range byType[in.Type] {
		if weights.Type == t && in.Type == out.Type {
			return ""
		}
	}
	return fmt.Sprintf("types %v, %v and %v do not go together tile by tile", in.Type, weights.Type, out.Type)
}

// slide sets the geometry of a convolution with the given number of output channels.
func (c *candidate) slide(in layout, w op.Window, channels int64) string {
	y, x, why := c.axes(in, w)
	if why != "" {
		return why
	}
	if channels != c.op.size.c {
		return fmt.Sprintf("its output has %d channels and its filter %d", c.op.size.c, channels)
	}
	c.op.geometry = window{y: y, x: x, same: w.Padding == schema.PaddingSAME}
	return ""
}

func (c *candidate) axes(in layout, w op.Window) (y, x axis, why string) {
	if w.Padding != schema.PaddingSAME && w.Padding != schema.PaddingVALID {
		return y, x, "its padding is neither SAME nor VALID"
	}
	y, okY := newAxis(w, 0, in.h, c.op.size.h)
	x, okX := newAxis(w, 1, in.w, c.op.size.w)
	if !okY || !okX {
		return y, x, fmt.Sprintf("its output of %dx%d does not follow from its input of %dx%d", c.op.size.h, c.op.size.w, in.h, in.w)
	}
	return y, x, ""
}

func (c *candidate) pool() string {
	w, ok := c.window()
	if !ok {
		return "it has no options"
	}
	in, why := c.cut(0)
	switch {
	case why != "":
		return why
	case !c.sameTypes():
		return "its output is of another type"
	case in.c != c.op.size.c:
		return "its output has another number of channels"
	}
	y, x, why := c.axes(in, w)
	if why != "" {
		return why
	}
	if y.before+y.after+x.before+x.after == 0 {
		c.op.geometry = window{y: y, x: x, same: w.Padding == schema.PaddingSAME}
		return ""
	}
	c.op.geometry = sameWindow{y, x, narrow}
	return ""
}

// saturatingMul multiplies non-negative sizes, saturating at math.MaxInt64.
func saturatingMul(factors ...int64) int64 {
	n := int64(1)
	for _, f := range factors {
		if f != 0 && n > math.MaxInt64/f {
			return math.MaxInt64
		}
		n *= f
	}
	return n
}
