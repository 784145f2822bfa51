package split

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

func (c *candidate) pad() string {
	in, why := c.cut(0)
	if why != "" {
		return why
	}
	n, ok := c.paddings()
	switch {
	case !ok:
		return "its paddings are not four constant pairs of INT32"
	case !c.sameTypes():
		return "its output is of another type"
	case n[0] != 0 || n[1] != 0:
		return "it pads the batch"
	}
	g := pad{
		in: in.featureMap, y: [2]int64{n[2], n[3]}, x: [2]int64{n[4], n[5]}, c: [2]int64{n[6], n[7]},
		kind: edit.Piece, exact: c.quant.equal(c.op.Inputs[0], c.op.Outputs[0]),
	}
	if (featureMap{in.h + n[2] + n[3], in.w + n[4] + n[5], in.c + n[6] + n[7]}) != c.op.size.featureMap {
		return "its output does not follow from its paddings"
	}
	c.op.geometry = g
	return ""
}

// paddings returns the padding before and after each dimension.
func (c *candidate) paddings() (n [8]int64, ok bool) {
	t := c.input(1)
	list, ok := op.Paddings(c.model, c.sub, c.op.Operator)
	if !ok || len(list) != 4 || t.Type != schema.TensorTypeINT32 {
		return n, false
	}
	for i, p := range list {
		if p[0] < 0 || p[1] < 0 {
			return n, false
		}
		n[2*i], n[2*i+1] = p[0], p[1]
	}
	return n, true
}
