package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

func (c *candidate) elementwise(inputs int) string {
	if len(c.op.Inputs) != inputs {
		return fmt.Sprintf("it has %d inputs, not %d", len(c.op.Inputs), inputs)
	}
	some := false
	for position := range inputs {
		whole, why := c.operand(position)
		if why != "" {
			return why
		}
		some = some || whole
	}
	if !some {
		// The output is larger than every input, and each tile would be too.
		return "none of its inputs is as large as its output"
	}
	return c.local()
}

// local sets the geometry of an operator that reads its inputs at the output's positions or
// broadcasts them.
func (c *candidate) local() string {
	regions := c.reads()
	for _, r := range regions {
		for _, axis := range r[1:3] {
			if axis.Pattern() != op.Same && axis.In != 1 {
				return "its output does not follow from its inputs"
			}
		}
	}
	c.op.geometry = pointwise{regions}
	return ""
}

// operand adds an input of an element-wise operator and reports whether it has all rows and
// columns. One without rows and columns, such as a value per channel, is the same for all
// tiles.
func (c *candidate) operand(position int) (whole bool, why string) {
	t := c.input(position)
	if t == nil {
		return false, fmt.Sprintf("input %d is missing", position)
	}
	if unsized(t) || len(t.Shape) > 4 {
		return false, fmt.Sprintf("its input %d has the shape %v", position, t.Shape)
	}
	if isVector(t) {
		return false, c.channels(position, t)
	}
	in, why := c.cut(position)
	if why != "" {
		return false, why
	}
	out := c.op.size
	if !broadcastable(in.h, out.h) || !broadcastable(in.w, out.w) || !broadcastable(in.c, out.c) {
		return false, fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, c.tensor(c.op.Outputs[0]).Shape)
	}
	return in.h == out.h && in.w == out.w, ""
}

func (c *candidate) channels(position int, t *tflite.Tensor) string {
	if n := len(t.Shape); n > 0 && !broadcastable(int64(t.Shape[n-1]), c.op.size.c) {
		return fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, c.tensor(c.op.Outputs[0]).Shape)
	}
	return ""
}

func broadcastable(in, out int64) bool { return in == out || in == 1 }

// isVector reports whether all dimensions except the last are 1.
func isVector(t *tflite.Tensor) bool {
	n := len(t.Shape)
	return n == 0 || !slices.ContainsFunc(t.Shape[:n-1], func(d int32) bool { return d != 1 })
}

// concatenation describes a CONCATENATION along the channels.
func (c *candidate) concatenation() string {
	axis, ok := op.JoinedAlong(c.op.Operator)
	switch {
	case !ok:
		return "it has no options"
	case axis != 3 && axis != -1:
		return fmt.Sprintf("it joins along dimension %d, not along the channels", axis)
	}
	channels := int64(0)
	for position := range c.op.Inputs {
		in, why := c.cut(position)
		switch {
		case why != "":
			return why
		case in.h != c.op.size.h || in.w != c.op.size.w:
			return fmt.Sprintf("its input %d has another height or width", position)
		}
		channels += in.c
	}
	if channels != c.op.size.c || !c.sameTypes() {
		return "its output does not follow from its inputs"
	}
	return c.local()
}
