package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// elementwise are operators that make each element from those at its place, and how many
// inputs they have.
var elementwise = map[schema.BuiltinOperator]int{
	schema.BuiltinOperatorABS:                1,
	schema.BuiltinOperatorCEIL:               1,
	schema.BuiltinOperatorCOS:                1,
	schema.BuiltinOperatorDEQUANTIZE:         1,
	schema.BuiltinOperatorELU:                1,
	schema.BuiltinOperatorEXP:                1,
	schema.BuiltinOperatorFLOOR:              1,
	schema.BuiltinOperatorGELU:               1,
	schema.BuiltinOperatorHARD_SWISH:         1,
	schema.BuiltinOperatorLEAKY_RELU:         1,
	schema.BuiltinOperatorLOG:                1,
	schema.BuiltinOperatorLOGISTIC:           1,
	schema.BuiltinOperatorNEG:                1,
	schema.BuiltinOperatorQUANTIZE:           1,
	schema.BuiltinOperatorSOFTMAX:            1,
	schema.BuiltinOperatorRELU:               1,
	schema.BuiltinOperatorRELU6:              1,
	schema.BuiltinOperatorRELU_N1_TO_1:       1,
	schema.BuiltinOperatorRELU_0_TO_1:        1,
	schema.BuiltinOperatorROUND:              1,
	schema.BuiltinOperatorRSQRT:              1,
	schema.BuiltinOperatorSIN:                1,
	schema.BuiltinOperatorSQRT:               1,
	schema.BuiltinOperatorSQUARE:             1,
	schema.BuiltinOperatorTANH:               1,
	schema.BuiltinOperatorADD:                2,
	schema.BuiltinOperatorDIV:                2,
	schema.BuiltinOperatorMAXIMUM:            2,
	schema.BuiltinOperatorMINIMUM:            2,
	schema.BuiltinOperatorMUL:                2,
	schema.BuiltinOperatorPRELU:              2,
	schema.BuiltinOperatorSQUARED_DIFFERENCE: 2,
	schema.BuiltinOperatorSUB:                2,
}

func (c *candidate) elementwise(arity int) string {
	if len(c.op.Inputs) != arity {
		return fmt.Sprintf("it has %d inputs, not %d", len(c.op.Inputs), arity)
	}
	var g pointwise
	for position := range arity {
		if why := c.operand(&g, position); why != "" {
			return why
		}
	}
	c.op.geometry = g
	return c.someWhole(g)
}

// someWhole asks that the output's rows are those of an input. Otherwise the output is
// larger than its inputs, and each piece would be too.
func (c *candidate) someWhole(g pointwise) string {
	for _, in := range g.ins {
		if in.h == c.op.size.h && in.w == c.op.size.w {
			return ""
		}
	}
	return "none of its inputs is as large as its output"
}

// operand adds an input of an element-wise operator. One without rows and columns, such
// as a value for each channel, is the same for all pieces.
func (c *candidate) operand(g *pointwise, position int) string {
	t := c.input(position)
	if t == nil {
		return fmt.Sprintf("input %d is missing", position)
	}
	if unsized(t) || len(t.Shape) > 4 {
		return fmt.Sprintf("its input %d has the shape %v", position, t.Shape)
	}
	if flat(t) {
		return c.channels(position, t)
	}
	in, why := c.cut(position)
	if why != "" {
		return why
	}
	out := c.op.size
	if !repeats(in.h, out.h) || !repeats(in.w, out.w) || !repeats(in.c, out.c) {
		return fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, c.tensor(c.op.Outputs[0]).Shape)
	}
	g.ins = append(g.ins, in)
	return ""
}

func (c *candidate) channels(position int, t *tflite.Tensor) string {
	if n := len(t.Shape); n > 0 && !repeats(int64(t.Shape[n-1]), c.op.size.c) {
		return fmt.Sprintf("its input %d has the shape %v, its output %v", position, t.Shape, c.tensor(c.op.Outputs[0]).Shape)
	}
	return ""
}

func repeats(in, out int64) bool { return in == out || in == 1 }

// flat says that a tensor has no dimension but its last one.
func flat(t *tflite.Tensor) bool {
	n := len(t.Shape)
	return n == 0 || !slices.ContainsFunc(t.Shape[:n-1], func(d int32) bool { return d != 1 })
}

// concatenation is one along the channels.
func (c *candidate) concatenation() string {
	var o schema.ConcatenationOptions
	if !c.op.Options(schema.BuiltinOptionsConcatenationOptions, &o) {
		return "it has no options"
	}
	if axis := o.Axis(); axis != 3 && axis != -1 {
		return fmt.Sprintf("it joins along dimension %d, not along the channels", axis)
	}
	var g pointwise
	channels := int64(0)
	for position := range c.op.Inputs {
		in, why := c.cut(position)
		switch {
		case why != "":
			return why
		case in.h != c.op.size.h || in.w != c.op.size.w:
			return fmt.Sprintf("its input %d has another height or width", position)
		}
		g.ins = append(g.ins, in)
		channels += in.c
	}
	if channels != c.op.size.c || !c.alike() {
		return "its output does not follow from its inputs"
	}
	c.op.geometry = g
	return ""
}
