package split

import "github.com/tflarena/tflarena/tflite/op"

// work is an operator's number of multiply-accumulates (MACs).
type work struct {
	// own is the count for the whole operator.
	own int64
	// perOut is the count per output position, all channels; perIn is that per position of the
	// tiled input.
	perOut, perIn int64
}

// cost returns the MACs of computing a region of the output from a region of the input.
func (w work) cost(out, in region) int64 {
	return plus(times(w.perOut, out.area()), times(w.perIn, in.area()))
}

// count computes an operator's work after its geometry is known.
func (c *candidate) count() work {
	n := op.MACs(c.model, c.sub, c.op.Operator)
	w := work{own: n.Total()}
	switch n.Per {
	case op.Outputs:
		w.perOut = times(n.Each, c.op.size.c)
	case op.Inputs:
		if shape := c.input(c.op.uses[0]).Shape; len(shape) > 0 {
			w.perIn = times(n.Each, int64(shape[len(shape)-1]))
		}
	}
	return w
}
