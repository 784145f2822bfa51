package op

import (
	"math"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Extent is what an operator repeats its work for.
type Extent int

const (
	// Nothing is the extent of operators without multiply-accumulates.
	Nothing Extent = iota
	// Outputs are the elements of the first output.
	Outputs
	// Inputs are the elements of the input that is convolved.
	Inputs
	// Steps are the vectors along the last dimension of the first input: one for each
	// sample of a batch and each step in time.
	Steps
	// Lookups are the rows that are looked up and weighted.
	Lookups
	// Once stands for a number that no extent divides.
	Once
)

// A Count tells how many multiply-accumulates an operator does: Each for every one of
// Times, which are those of an extent. All numbers stop at the largest int64 instead of
// overflowing.
type Count struct {
	Per         Extent
	Each, Times int64
}

// Total returns the multiply-accumulates of the whole operator.
func (c Count) Total() int64 { return times(c.Each, c.Times) }

// MACs counts the multiply-accumulates of one operator of a subgraph, without those of
// subgraphs that it calls. The count is zero where a tensor that decides it is absent, has
// another rank than the operator asks for, or has a shape or a dimension that is not known; a
// dimension that the file gives for one that may change counts as it stands in the file.
func MACs(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) Count {
	n := newNode(m, s, o)
	if n.macs == nil {
		return Count{}
	}
	return n.macs(n)
}

// RunMACs counts the multiply-accumulates of one run of a subgraph, with what its operators
// call: the costlier branch of IF and of a case; condition and body of a loop once, since
// the file does not say how often; nothing for CALL_ONCE, which is done before the first
// run. It stops at the largest int64.
func RunMACs(m *tflite.Model, subgraph int) int64 {
	known := make([]int64, len(m.Subgraphs))
	for i := range known {
		known[i] = -1
	}
	return runMACs(m, subgraph, known)
}

// runMACs keeps what it has counted, so that each subgraph is walked once. That no
// subgraph calls itself is a law of [tflite.Model].
func runMACs(m *tflite.Model, subgraph int, known []int64) int64 {
	if known[subgraph] >= 0 {
		return known[subgraph]
	}
	sum, s := int64(0), &m.Subgraphs[subgraph]
	for i := range s.Operators {
		o := &s.Operators[i]
		sum = plus(sum, MACs(m, s, o).Total())
		called := int64(0)
		for _, callee := range o.Subgraphs {
			switch n := runMACs(m, callee, known); m.OperatorCodes[o.Code].Builtin {
			case schema.BuiltinOperatorCALL_ONCE:
			case schema.BuiltinOperatorIF, schema.BuiltinOperatorSTABLEHLO_CASE:
				called = max(called, n)
			default:
				called = plus(called, n)
			}
		}
		sum = plus(sum, called)
	}
	known[subgraph] = sum
	return sum
}

// per returns a count with the number of elements of a tensor.
func per(extent Extent, t *tflite.Tensor, each int64) Count {
	return Count{extent, each, elements(t)}
}

// once returns a count that is one number.
func once(n int64) Count { return Count{Once, n, 1} }

// elements returns the number of a tensor's elements: zero where there is no tensor, where
// a dimension is not known, and where none is: no operand of these operators is a scalar.
func elements(t *tflite.Tensor) int64 {
	if t == nil || len(t.Shape) == 0 {
		return 0
	}
	return size(t.Shape...)
}

// size returns the product of dimensions, zero where one is not known.
func size(dims ...int32) int64 {
	factors := make([]int64, len(dims))
	for i, d := range dims {
		factors[i] = int64(max(d, 0))
	}
	return times(factors...)
}

// last returns a tensor's last dimension, zero where there is none.
func last(t *tflite.Tensor) int64 {
	if t == nil || len(t.Shape) == 0 {
		return 0
	}
	return size(t.Shape[len(t.Shape)-1])
}

// times multiplies numbers that are not negative, and stops at the largest one.
func times(factors ...int64) int64 {
	n := int64(1)
	for _, f := range factors {
		if f == 0 {
			return 0
		}
		if n > math.MaxInt64/f {
			n = math.MaxInt64
			continue
		}
		n *= f
	}
	return n
}

// plus adds numbers that are not negative, and stops at the largest one.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
