package split

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

// spatial describes an operator of images by its height and width description, which checks the options.
func (c *channelCandidate) spatial(describe func() string) (why string) {
	if c.op.size, why = c.activation(c.op.Outputs[0]); why != "" {
		return "its output " + why
	}
	return c.image(describe)
}

// conv2D is sliced by its output channels. Its input stays whole.
func (c *channelCandidate) conv2D() string {
	describe := c.candidate.conv2D
	if c.hybrid() {
		describe = c.hybridConv
	}
	if why := c.spatial(describe); why != "" {
		return why
	}
	if in, filter := c.input(0), c.input(1); in.Shape[3] != filter.Shape[3] {
		return "it has groups of channels"
	}
	return c.weights(0)
}

// hybrid reports whether LiteRT quantises the input at run time. It does so from the whole
// input, which is the same for each slice.
func (c *channelCandidate) hybrid() bool {
	in, weights := c.input(0), c.input(1)
	return in != nil && weights != nil && in.Type == schema.TensorTypeFLOAT32 && weights.Type == schema.TensorTypeINT8 &&
		c.output().Type == schema.TensorTypeFLOAT32
}

func (c *channelCandidate) hybridConv() string {
	w, ok := c.window()
	if !ok {
		return "it has no options"
	}
	in, why := c.cut(0)
	if why != "" {
		return why
	}
	filter := c.input(1).Shape
	if len(filter) != 4 || filter[3] <= 0 {
		return "it has no filter of rank 4"
	}
	return c.slide(in, w, int64(filter[0]))
}

// depthwise is sliced by channels, at multiples of the depth multiplier.
func (c *channelCandidate) depthwise() string {
	if why := c.spatial(c.candidate.depthwise); why != "" {
		return why
	}
	if why := c.takeLast(0); why != "" {
		return why
	}
	if c.output().Type == schema.TensorTypeINT8 {
		if why := c.inGroups(depthwiseGroup); why != "" {
			return why
		}
	}
	return c.weights(3)
}

// depthwiseGroup and meanGroup are the numbers of channels that LiteRT's fast integer kernels
// process at a time. They round the results of leftover channels differently.
const depthwiseGroup, meanGroup = 8, 16

// inGroups keeps groups of size channels, counted from the first one, together.
func (c *channelCandidate) inGroups(size int64) string {
	n := int64(c.last(c.output()))
	switch {
	case n < size: // no group
	case n%size != 0:
		return fmt.Sprintf("its %d channels are not whole groups of %d, and fast kernels round the rest differently", n, size)
	default:
		c.counts = append(c.counts, n/size)
	}
	return ""
}

// fullyConnected is sliced by its units. Its input stays whole.
func (c *channelCandidate) fullyConnected() string {
	var o schema.FullyConnectedOptions
	if !c.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &o) {
		return "it has no options"
	}
	in, weights, out := c.input(0), c.input(1), c.output()
	switch {
	case o.WeightsFormat() != schema.FullyConnectedOptionsWeightsFormatDEFAULT:
		return "its weights are shuffled"
	case in == nil || weights == nil || len(weights.Shape) != 2:
		return "it has no weights of rank 2"
	case in.Type != out.Type || !c.hybrid() && !supportedTypes(in.Type, weights.Type):
		return fmt.Sprintf("types %v, %v and %v do not go together tile by tile", in.Type, weights.Type, out.Type)
	}
	elements, ok := in.Elements()
	results, _ := out.Elements()
	units, depth := int64(weights.Shape[0]), int64(weights.Shape[1])
	if !ok || units < 1 || depth < 1 || int64(c.last(out)) != units || elements%depth != 0 || elements/depth != results/units {
		return fmt.Sprintf("its weights %v do not fit %v and %v", weights.Shape, in.Shape, out.Shape)
	}
	return c.weights(0)
}

// supportedTypes reports whether kernels support the weights type with the input type.
func supportedTypes(in, weights schema.TensorType) bool {
	switch in {
	case schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeUINT8:
		return weights == in
	case schema.TensorTypeINT16:
		return weights == schema.TensorTypeINT8
	}
	return false
}

// weights slices the weights along a dimension, and the bias.
func (c *channelCandidate) weights(dim int) string {
	w, bias := c.input(1), c.input(2)
	scales, _ := c.quant.of(w.Index)
	switch {
	case len(c.op.Inputs) > 3:
		return fmt.Sprintf("it has %d inputs", len(c.op.Inputs))
	case !w.Constant:
		return "its weights are not constants of the file"
	case c.hybrid() && len(scales) > 1:
		return "its input is quantised at run time, and its weights per channel"
	case bias != nil && (!bias.Constant || len(bias.Shape) != 1 || bias.Shape[0] != w.Shape[dim]):
		return "its bias is not a constant for each channel"
	}
	if len(scales) > 1 {
		// A slice of one channel would be quantised per tensor, for which kernels compute with
		// another precision.
		c.least = 2
	}
	if why := c.sliceInput(1, dim); why != "" || bias == nil {
		return why
	}
	return c.sliceInput(2, 0)
}

func (c *channelCandidate) pool() string {
	if why := c.spatial(c.candidate.pool); why != "" {
		return why
	}
	return c.takeLast(0)
}

// pad describes a PAD of rows and columns alone.
func (c *channelCandidate) pad() string {
	if why := c.spatial(c.candidate.pad); why != "" {
		return why
	}
	if c.op.geometry.(pad).c != [2]int64{} {
		return "it pads the channels"
	}
	return c.takeLast(0)
}

func (c *channelCandidate) resize() string {
	in, why := c.cut(0)
	if why != "" {
		return why
	}
	size := c.input(1)
	switch {
	case size == nil || size.Type != schema.TensorTypeINT32 || len(c.model.Buffer(size).Data) != 8:
		return "its size is not a constant"
	case in.c != int64(c.last(c.output())) || len(c.output().Shape) != 4 || c.output().Shape[0] != 1 || !c.sameTypes():
		return "its output does not follow from its input"
	}
	return c.takeLast(0)
}
