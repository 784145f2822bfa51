package split

import "github.com/tflarena/tflarena/tflite/op"

// A work is how many multiply-accumulates an operator does.
type work struct {
	// own are those of the whole operator.
	own int64
	// perOut are those for one position of the output, all channels, and perIn those for
	// one of the input that is cut.
	perOut, perIn int64
}

// cost returns the multiply-accumulates that make a region of the output from one of the
// input.
func (w work) cost(out, in region) int64 {
	return plus(times(w.perOut, out.area()), times(w.perIn, in.area()))
}

// count asks for an operator's work, once it is known how the operator is cut.
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
