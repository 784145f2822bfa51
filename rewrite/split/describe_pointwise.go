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
	g, why := c.followed()
	if why != "" {
		return why
	}
	for i := range g.y {
		for _, s := range []source{g.y[i], g.x[i]} {
			if s.Pattern() != op.Same && s.In != 1 {
				return "its output does not follow from its inputs"
			}
		}
	}
	c.op.geometry = g
	return ""
}

// operand adds an input of an element-wise operator and reports whether it has all rows and
// columns. One without rows and columns, such as a value per channel, is the same for all
// tiles.
func (c *candidate) operand(position int) (whole bool, why string) {
	t, out := c.input(position), &c.op.size
	if t == nil {
		return false, fmt.Sprintf("input %d is missing", position)
	}
	before := len(out.shape) - len(t.Shape)
	if unsized(t) || before < 0 {
		return false, fmt.Sprintf("its input %d has the shape %v", position, t.Shape)
	}
	tiled, rows, columns := false, out.h == 1, out.w == 1
	for i, d := range t.Shape {
		of := before + i
		if !broadcastable(d, out.shape[of]) {
			return false, fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, out.shape)
		}
		if d > 1 {
			tiled = tiled || of == out.y || of == out.x
			rows, columns = rows || of == out.y, columns || of == out.x
		}
	}
	if !tiled {
		return false, ""
	}
	_, why = c.cut(position)
	return rows && columns, why
}

func broadcastable(in, out int32) bool { return in == out || in == 1 }

// isVector reports whether all dimensions except the last are 1.
func isVector(t *tflite.Tensor) bool {
	n := len(t.Shape)
	return n == 0 || !slices.ContainsFunc(t.Shape[:n-1], func(d int32) bool { return d != 1 })
}

// concatenation describes a CONCATENATION along the channels.
func (c *candidate) concatenation() string {
	axis, ok := op.JoinedAlong(c.op.Operator)
	last := len(c.op.size.shape) - 1
	switch {
	case !ok:
		return "it has no options"
	case axis != last && axis != -1 || last == 0:
		return fmt.Sprintf("it joins along dimension %d, not along the channels", axis)
	}
	channels := int64(0)
	for position := range c.op.Inputs {
		in, why := c.cut(position)
		switch {
		case why != "":
			return why
		case len(in.shape) != last+1 || !slices.Equal(in.shape[:last], c.op.size.shape[:last]):
			return fmt.Sprintf("its input %d has another height or width", position)
		}
		channels += int64(in.shape[last])
	}
	if channels != int64(c.op.size.shape[last]) || !c.sameTypes() {
		return "its output does not follow from its inputs"
	}
	return c.local()
}
