package op

import (
	"math"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Extent is the unit of an operator's repeated work.
type Extent int

const (
	// Nothing is the extent of operators without multiply-accumulates.
	Nothing Extent = iota
	// Outputs counts the elements of the first output.
	Outputs
	// Inputs counts the elements of the convolved input.
	Inputs
	// Steps counts the vectors along the last dimension of the first input: one per sample of a
	// batch and time step.
	Steps
	// Lookups counts the rows that are looked up and weighted.
	Lookups
	// Once is used for a number that no extent divides.
	Once
)

// A Count is the number of multiply-accumulates of an operator: Each for every one of Times,
// the size of an extent. All numbers saturate at the largest int64.
type Count struct {
	Per         Extent
	Each, Times int64
}

// Total returns the multiply-accumulates of the whole operator.
func (c Count) Total() int64 { return times(c.Each, c.Times) }

// MACs counts the multiply-accumulates of one operator of a subgraph, excluding the subgraphs
// that it calls. The count is zero if a tensor that decides it is absent, has an unsupported
// rank, or has an unknown shape or dimension; a dynamic dimension counts with its value in the
// file.
func MACs(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) Count {
	n := newNode(m, s, o)
	if n.macs == nil {
		return Count{}
	}
	return n.macs(n)
}

// RunMACs counts the multiply-accumulates of one run of a subgraph, including calls: the
// costlier branch of IF or CASE; condition and body of a loop once, since the file does not
// give the number of iterations; nothing for CALL_ONCE, which runs before the first inference.
// It saturates at the largest int64.
func RunMACs(m *tflite.Model, subgraph int) int64 {
	known := make([]int64, len(m.Subgraphs))
	for i := range known {
		known[i] = -1
	}
	return runMACs(m, subgraph, known)
}

// runMACs memoises its counts, so each subgraph is walked once. [tflite.Model] guarantees that
// no subgraph calls itself.
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

// per returns a count per element of a tensor.
func per(extent Extent, t *tflite.Tensor, each int64) Count {
	return Count{extent, each, elements(t)}
}

// once returns a count of a single number.
func once(n int64) Count { return Count{Once, n, 1} }

// elements returns the number of a tensor's elements: zero for nil, for an unknown dimension,
// and without dimensions, because no operand of these operators is a scalar.
func elements(t *tflite.Tensor) int64 {
	if t == nil || len(t.Shape) == 0 {
		return 0
	}
	return size(t.Shape...)
}

// size returns the product of dimensions, zero if one is unknown.
func size(dims ...int32) int64 {
	factors := make([]int64, len(dims))
	for i, d := range dims {
		factors[i] = int64(max(d, 0))
	}
	return times(factors...)
}

// last returns a tensor's last dimension, or zero.
func last(t *tflite.Tensor) int64 {
	if t == nil || len(t.Shape) == 0 {
		return 0
	}
	return size(t.Shape[len(t.Shape)-1])
}

// times multiplies non-negative numbers and saturates.
//
//go:noinline
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

// plus adds non-negative numbers and saturates.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
