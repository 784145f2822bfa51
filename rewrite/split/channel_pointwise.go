package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// elementwise slices the operands with all channels. Those with one channel stay whole.
func (c *channelCandidate) elementwise(inputs int) string {
	if len(c.op.Inputs) != inputs {
		return fmt.Sprintf("it has %d inputs, not %d", len(c.op.Inputs), inputs)
	}
	out := c.output()
	for position := range inputs {
		t := c.input(position)
		if t == nil {
			return fmt.Sprintf("input %d is missing", position)
		}
		if !broadcasts(t.Shape, out.Shape) {
			return fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, out.Shape)
		}
		if len(t.Shape) == 0 || c.last(t) != c.last(out) {
			continue
		}
		if why := c.takeLast(position); why != "" {
			return why
		}
	}
	if len(c.slicedInputs) == 0 {
		return "none of its inputs has as many channels as its output"
	}
	return ""
}

// broadcasts reports whether an operand shape broadcasts to the output shape: aligned at the last
// dimension, each dimension is equal or 1.
func broadcasts(in, out []int32) bool {
	if len(in) > len(out) {
		return false
	}
	for i, d := range in {
		if d != 1 && d != out[len(out)-len(in)+i] {
			return false
		}
	}
	return true
}

// mean describes a MEAN over dimensions other than the channels.
func (c *channelCandidate) mean() string {
	var o schema.ReducerOptions
	if !c.op.Options(schema.BuiltinOptionsReducerOptions, &o) {
		return "it has no options"
	}
	if why := c.takeLast(0); why != "" {
		return why
	}
	in, out := c.input(0), c.output()
	axes, ok := c.axesOf(1, len(in.Shape))
	var shape []int32
	for i, d := range in.Shape {
		switch {
		case !axes[i]:
			shape = append(shape, d)
		case o.KeepDims():
			shape = append(shape, 1)
		}
	}
	switch {
	case !ok:
		return "its dimensions are not constants of type INT32"
	case axes[len(in.Shape)-1]:
		return "each of its values depends on all channels"
	case in.Type != out.Type || !slices.Equal(shape, out.Shape):
		return "its output does not follow from its input"
	case in.Type == schema.TensorTypeINT8 || in.Type == schema.TensorTypeUINT8:
		return c.inGroups(meanGroup)
	}
	return ""
}

// axesOf returns the set of dimensions named by a constant input.
func (c *channelCandidate) axesOf(position, rank int) (axes map[int]bool, ok bool) {
	list, ok := op.Ints(c.model, c.input(position))
	if !ok || len(list) == 0 || c.input(position).Type != schema.TensorTypeINT32 {
		return nil, false
	}
	axes = map[int]bool{}
	for _, axis := range list {
		if axis < 0 {
			axis += int64(rank)
		}
		if axis < 0 || axis >= int64(rank) {
			return nil, false
		}
		axes[int(axis)] = true
	}
	return axes, true
}
