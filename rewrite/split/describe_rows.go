package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// fullyConnected describes a FULLY_CONNECTED layer of several vectors, such as tokens.
func (c *candidate) fullyConnected() string {
	if why := c.weightTypes(0); why != "" {
		return why
	}
	return c.rows(0)
}

// batchMatMul describes a BATCH_MATMUL. Rows of the output follow those of the first operand;
// matrices, such as heads, follow those of both.
func (c *candidate) batchMatMul() string {
	x, y := c.input(0), c.input(1)
	if x == nil || y == nil || x.Type != y.Type {
		return "its operands have different types" // LiteRT would quantise one at run time
	}
	return c.rows(0, 1)
}

func (c *candidate) mean() string { return c.rows(0) }

func (c *candidate) transpose() string { return c.rows(0) }

func (c *candidate) reshape() string {
	shape := c.input(1)
	if shape == nil || shape.Type != schema.TensorTypeINT32 || len(shape.Shape) != 1 || !c.constant(c.op.Inputs[1]) {
		return "its shape is not a constant of INT32"
	}
	if why := c.rows(0); why != "" {
		return why
	}
	c.op.geometry = reshape{c.op.geometry.(pointwise)}
	return ""
}

// reshape is RESHAPE, whose shape is different for each tile.
type reshape struct{ pointwise }

func (g reshape) constant(p *plan) (constantInput, bool) {
	var lists pool[int32]
	_, size := g.out.box(p.out, &lists)
	return constantInput{position: 1, shape: []int32{int32(len(size))}, data: size}, true
}

// rows sets the geometry of an operator that computes rows, columns or both of its output from rows or
// columns of the inputs at the given positions. Inputs that it reads whole for every tile are not
// tiled.
func (c *candidate) rows(positions ...int) string {
	out := &c.op.size
	shapes, err := op.Shapes(c.model, c.sub, c.op.Operator)
	if err != nil || !slices.Equal(shapes[0], out.shape) {
		return "its output does not follow from its inputs"
	}
	regions := op.Regions(c.model, c.sub, c.op.Operator, 0)
	for _, position := range positions {
		if !slices.ContainsFunc(regions[position], out.follows) {
			continue
		}
		if _, why := c.cut(position); why != "" {
			return why
		}
	}
	if len(c.op.uses) > 0 && !c.sameTypes() {
		return "its output is of another type"
	}
	g, why := c.followed()
	if why == "" && !(g.rows && out.h > 1) && !(g.columns && out.w > 1) {
		why = "no rows or columns of its output follow from some of an input"
	}
	c.op.geometry = g
	return why
}

// followed returns the geometry of an operator by the regions that it reads of its tiled inputs.
func (c *candidate) followed() (g pointwise, why string) {
	regions, ins := c.reads(), []layout{}
	for _, position := range c.op.uses {
		ins = append(ins, layoutOf(c.input(position).Shape))
	}
	g = newPointwise(&c.op.size, ins, regions)
	for i, r := range regions {
		for dimension, axis := range r {
			if dimension == ins[i].y || dimension == ins[i].x || !c.op.size.follows(axis) {
				continue
			}
			if axis.Of == c.op.size.y && g.rows || axis.Of == c.op.size.x && g.columns {
				return g, fmt.Sprintf("its tiles would follow from dimension %d of its input %d", dimension, c.op.uses[i])
			}
		}
	}
	return g, ""
}
