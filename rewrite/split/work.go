package split

import "github.com/tflarena/tflarena/tflite/op"

// macCount is an operator's number of multiply-accumulates (MACs).
type macCount struct {
	// own is the count for the whole operator.
	own int64
	// perOut is the count per output position, all channels; perIn is that per position of the
	// tiled input.
	perOut, perIn int64
}

// cost returns the MACs of computing a region of the output from a region of the input.
func (w macCount) cost(out, in region) int64 {
	return saturatingAdd(saturatingMul(w.perOut, out.area()), saturatingMul(w.perIn, in.area()))
}

// count computes an operator's work after its geometry is known.
func (c *candidate) count() macCount {
	n := op.MACs(c.model, c.sub, c.op.Operator)
	w := macCount{own: n.Total()}
	switch n.Per {
	case op.Outputs:
		w.perOut = saturatingMul(n.Each, c.op.size.c)
	case op.Inputs:
		if shape := c.input(c.op.uses[0]).Shape; len(shape) > 0 {
			w.perIn = saturatingMul(n.Each, int64(shape[len(shape)-1]))
		}
	}
	return w
}
