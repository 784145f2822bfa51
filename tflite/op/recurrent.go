package op

// Recurrent cells: in each step, and for each sample, every weight of the cell's matrices
// takes part in one product.

// lstm is the operator LSTM, of two kinds: the full one has the inputs of [sequenceLSTM],
// the basic one five, of which the third is all its weights. One run is one step.
var lstm = facts{macs: func(n node) Count {
	if len(n.op.Inputs) == 5 {
		return n.steps(span{2, 2})
	}
	return sequenceLSTM.macs(n)
}}

// sequenceLSTM has matrices for its input (1 to 4), for its state (5 to 8, vectors where
// they are diagonal), peephole weights (9 to 11) and a projection (16). Those that are
// absent count nothing.
var sequenceLSTM = facts{macs: func(n node) Count {
	return n.steps(span{1, 11}, span{16, 16})
}}

// bidirectionalLSTM has the weights of a cell forwards (1 to 11, projection 16), those of
// one backwards (18 to 28, projection 33), and matrices for an auxiliary input (40 to 47).
var bidirectionalLSTM = facts{macs: func(n node) Count {
	return n.steps(span{1, 11}, span{16, 16}, span{18, 28}, span{33, 33}, span{40, 47})
}}

// rnn is RNN and UNIDIRECTIONAL_SEQUENCE_RNN: weights for the input (1) and the state (2).
var rnn = facts{macs: func(n node) Count { return n.steps(span{1, 2}) }}

// bidirectionalRNN has the weights of a cell forwards (1, 2), of one backwards (5, 6), and
// those for an auxiliary input (10, 11).
var bidirectionalRNN = facts{macs: func(n node) Count {
	return n.steps(span{1, 2}, span{5, 6}, span{10, 11})
}}

// svdf has filters over features (1) and filters over time (2).
var svdf = facts{macs: func(n node) Count { return n.steps(span{1, 2}) }}

// A span is a run of inputs, both ends inclusive.
type span struct{ first, last int }

// steps counts every weight of some inputs once for each step and sample.
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
