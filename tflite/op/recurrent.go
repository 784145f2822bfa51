package op

import "github.com/tflarena/tflarena/schema"

// Recurrent cells: in each step, for each sample, every weight of the cell's matrices takes
// part in one product.

// lstm is the operator LSTM, of two kinds: the full one has the inputs of [sequenceLSTM]; the
// basic one has five, the third of them holding all its weights. One run is one step.
var lstm = facts{
	shapes: func(n node) [][]int64 {
		if len(n.op.Inputs) != 5 {
			return sequenceLSTM.shapes(n)
		}
		in, state := n.shapeOf(0, 2), n.shapeOf(4, 2)
		return [][]int64{state, state, {in[0], in[1] + state[1]}, {in[0], 4 * state[1]}}
	},
	macs: func(n node) Count {
		if len(n.op.Inputs) == 5 {
			return n.steps(span{2, 2})
		}
		return sequenceLSTM.macs(n)
	},
}

// sequenceLSTM has matrices for its input (1 to 4), for its state (5 to 8, vectors if
// diagonal), peephole weights (9 to 11) and a projection (16). Absent ones count nothing.
var sequenceLSTM = facts{
	shapes: single(func(n node) []int64 {
		in := n.ranked(0, 1)
		return with(in, len(in)-1, n.lstmOutputs(2, 16))
	}),
	macs: func(n node) Count {
		return n.steps(span{1, 11}, span{16, 16})
	},
}

// lstmOutputs returns the number of output values per step of an LSTM: the number of cells,
// which is the number of rows of the gate, or the size of the projection.
func (n node) lstmOutputs(gate, projection int) int64 {
	if n.input(projection) != nil {
		return n.shapeOf(projection, 2)[0]
	}
	return n.shapeOf(gate, 2)[0]
}

// bidirectionalLSTM has the weights of a forward cell (1 to 11, projection 16) and a backward
// cell (18 to 28, projection 33), and matrices for an auxiliary input (40 to 47).
var bidirectionalLSTM = facts{
	shapes: func(n node) [][]int64 {
		var o schema.BidirectionalSequenceLSTMOptions
		n.options(schema.BuiltinOptionsBidirectionalSequenceLSTMOptions, &o)
		return n.bothWays(n.lstmOutputs(2, 16), n.lstmOutputs(19, 33), o.MergeOutputs())
	},
	macs: func(n node) Count {
		return n.steps(span{1, 11}, span{16, 16}, span{18, 28}, span{33, 33}, span{40, 47})
	},
}

// bothWays returns the shapes of the forward and the backward outputs, concatenated if merged.
func (n node) bothWays(forwards, backwards int64, merged bool) [][]int64 {
	in := n.ranked(0, 1)
	depth := len(in) - 1
	if merged {
		return [][]int64{with(in, depth, forwards+backwards)}
	}
	return [][]int64{with(in, depth, forwards), with(in, depth, backwards)}
}

// rnn is RNN and UNIDIRECTIONAL_SEQUENCE_RNN: weights for the input (1) and the state (2).
var rnn = facts{
	shapes: single(func(n node) []int64 {
		in := n.ranked(0, 1)
		return with(in, len(in)-1, n.shapeOf(1, 2)[0])
	}),
	macs: func(n node) Count { return n.steps(span{1, 2}) },
}

// bidirectionalRNN has the weights of a forward cell (1, 2), a backward cell (5, 6), and an
// auxiliary input (10, 11).
var bidirectionalRNN = facts{
	shapes: func(n node) [][]int64 {
		var o schema.BidirectionalSequenceRNNOptions
		n.options(schema.BuiltinOptionsBidirectionalSequenceRNNOptions, &o)
		return n.bothWays(n.shapeOf(1, 2)[0], n.shapeOf(5, 2)[0], o.MergeOutputs())
	},
	macs: func(n node) Count {
		return n.steps(span{1, 2}, span{5, 6}, span{10, 11})
	},
}

// svdf has feature filters (1) and time filters (2); the rank option is the number of filters
// per unit.
var svdf = facts{
	shapes: single(func(n node) []int64 {
		var o schema.SVDFOptions
		n.options(schema.BuiltinOptionsSVDFOptions, &o)
		filters, rank := n.shapeOf(1, 2)[0], int64(o.Rank())
		if rank < 1 || filters%rank != 0 {
			n.fail("%d filters make no units of %d", filters, rank)
		}
		return []int64{n.shapeOf(0, 2)[0], filters / rank}
	}),
	macs: func(n node) Count { return n.steps(span{1, 2}) },
}

// A span is a range of inputs, both ends inclusive.
type span struct{ first, last int }

// steps counts every weight of some inputs once per step and sample.
func (n node) steps(weights ...span) Count {
	depth := last(n.input(0))
	if depth == 0 {
		return Count{}
	}
	c := Count{Per: Steps, Times: elements(n.input(0)) / depth}
	for _, w := range weights {
		for i := w.first; i <= w.last; i++ {
			c.Each = plus(c.Each, elements(n.input(i)))
		}
	}
	return c
}
