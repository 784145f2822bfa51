package split

import (
	"encoding/binary"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
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
	case !c.alike():
		return "its output is of another type"
	case n[0] != 0 || n[1] != 0:
		return "it pads the batch"
	}
	g := pad{
		in: in, y: [2]int64{n[2], n[3]}, x: [2]int64{n[4], n[5]}, c: [2]int64{n[6], n[7]},
		kind: edit.Piece, exact: c.quant.equal(c.op.Inputs[0], c.op.Outputs[0]),
	}
	if (picture{in.h + n[2] + n[3], in.w + n[4] + n[5], in.c + n[6] + n[7]}) != c.op.size {
		return "its output does not follow from its paddings"
	}
	c.op.geometry = g
	return ""
}

// paddings returns before and after of each dimension.
func (c *candidate) paddings() (n [8]int64, ok bool) {
	t := c.input(1)
	if t == nil || t.Type != schema.TensorTypeINT32 {
		return n, false
	}
	data := c.model.Buffer(t).Data
	if len(data) != 4*len(n) {
		return n, false
	}
	for i := range n {
		n[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		if n[i] < 0 {
			return n, false
		}
	}
	return n, true
}
