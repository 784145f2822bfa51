package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Graphs compute shapes from shapes: SHAPE turns a shape into numbers, other operators slice,
// multiply and join these, and RESHAPE or FILL uses the result as its parameter. This file
// evaluates such operators on integers that are known before a run.

// maxNumbers bounds the tracked values of a tensor. No shape, padding or permutation has as
// many.
const maxNumbers = 64

// An evaluation computes the values of an output from the inputs' values. It fails by
// [node.fail].
type evaluation func(n node, output int) []int64

// evaluations holds the operators with which graphs compute shapes.
var evaluations = map[schema.BuiltinOperator]evaluation{
	schema.BuiltinOperatorSHAPE: func(n node, _ int) []int64 { return n.shape(0) },
	schema.BuiltinOperatorRANK:  func(n node, _ int) []int64 { return []int64{int64(len(n.shape(0)))} },

	schema.BuiltinOperatorRESHAPE:     sameOrder,
	schema.BuiltinOperatorSQUEEZE:     sameOrder,
	schema.BuiltinOperatorEXPAND_DIMS: sameOrder,
	schema.BuiltinOperatorCAST:        sameOrder,

	schema.BuiltinOperatorSTRIDED_SLICE: taken(0),
	schema.BuiltinOperatorSLICE:         taken(0),
	schema.BuiltinOperatorREVERSE_V2:    taken(0),
	schema.BuiltinOperatorTRANSPOSE:     taken(0),
	schema.BuiltinOperatorUNPACK:        taken(0),
	schema.BuiltinOperatorSPLIT:         taken(1),
	schema.BuiltinOperatorSPLIT_V:       taken(0),
	schema.BuiltinOperatorBROADCAST_TO:  taken(0),
	schema.BuiltinOperatorGATHER:        gathered,

	schema.BuiltinOperatorPACK: func(n node, _ int) []int64 { return n.joinValues(n.packAxis(len(n.shape(0)))) },
	schema.BuiltinOperatorCONCATENATION: func(n node, _ int) []int64 {
		return n.joinValues(n.axis(n.concatAxis(), len(n.shape(0))))
	},
	schema.BuiltinOperatorFILL: func(n node, output int) (list []int64) {
		for range n.outputElements(output) {
			list = append(list, n.numbers(1)...)
		}
		return list
	},
	schema.BuiltinOperatorRANGE: func(n node, output int) (list []int64) {
		for i := range n.outputElements(output) {
			list = append(list, n.smallNumber(n.number(0))+i*n.smallNumber(n.number(2)))
		}
		return list
	},
	schema.BuiltinOperatorBROADCAST_ARGS: func(n node, _ int) []int64 { return n.spread(n.numbers(0), n.numbers(1)) },

	schema.BuiltinOperatorADD:       ofPairs(func(a, b int64) int64 { return a + b }),
	schema.BuiltinOperatorSUB:       ofPairs(func(a, b int64) int64 { return a - b }),
	schema.BuiltinOperatorMUL:       ofPairs(func(a, b int64) int64 { return a * b }),
	schema.BuiltinOperatorMAXIMUM:   ofPairs(func(a, b int64) int64 { return max(a, b) }),
	schema.BuiltinOperatorMINIMUM:   ofPairs(func(a, b int64) int64 { return min(a, b) }),
	schema.BuiltinOperatorDIV:       divided(func(a, b int64) int64 { return a / b }),
	schema.BuiltinOperatorFLOOR_DIV: divided(floored),
	schema.BuiltinOperatorFLOOR_MOD: divided(func(a, b int64) int64 { return a - b*floored(a, b) }),

	schema.BuiltinOperatorREDUCE_PROD: reduced(func(a, b int64) int64 { return a * b }),
	schema.BuiltinOperatorSUM:         reduced(func(a, b int64) int64 { return a + b }),
	schema.BuiltinOperatorREDUCE_MAX:  reduced(func(a, b int64) int64 { return max(a, b) }),
	schema.BuiltinOperatorREDUCE_MIN:  reduced(func(a, b int64) int64 { return min(a, b) }),
}

// evaluate returns the values of an output, in file order. ok is false if they are not known
// before a run, are not 32-bit or 64-bit integers, or are too many. The output shapes must be
// known.
func (n node) evaluate(output int) (list []int64, ok bool) {
	f := evaluations[n.model.OperatorCodes[n.op.Code].Builtin]
	t := n.output(output)
	if f == nil || t == nil || t.Constant || t.Variable || t.Type != schema.TensorTypeINT32 && t.Type != schema.TensorTypeINT64 ||
		len(n.op.Inputs) > maxNumbers || len(n.op.Outputs) > maxNumbers {
		return nil, false
	}
	why := attempt(func() {
		if shapes, why := n.derive(); why != nil || !slices.Equal(shapes[output], t.Shape) {
			n.fail("its output %d has another shape", output)
		}
		list = f(n, output)
		if int64(len(list)) != n.outputElements(output) {
			n.fail("its output %d has not %d elements", output, len(list))
		}
		for _, x := range list {
			if t.Type == schema.TensorTypeINT32 {
				n.smallNumber(x)
			}
		}
	})
	return list, why == nil
}

// outputElements returns the number of elements of an output.
func (n node) outputElements(output int) int64 {
	t := n.output(output)
	if !hasRank(t) {
		n.lack("the shape of its output %d is not known", output)
	}
	elements, ok := t.Elements()
	if !ok || elements > maxNumbers {
		n.lack("its output %d has too many elements", output)
	}
	return elements
}

// numbers returns the values of an input: a constant's, or those evaluated for its producer.
func (n node) numbers(position int) []int64 {
	t := n.input(position)
	if t == nil {
		n.lack("input %d is missing", position)
	}
	if list, ok := n.known[t.Index]; ok {
		if elements, _ := t.Elements(); elements != int64(len(list)) {
			n.fail("its input %d has another shape than when it was made", position)
		}
		return slices.Clone(list)
	}
	list, ok := Ints(n.model, t)
	if !ok {
		n.lack("its input %d is not a constant of integers", position)
	}
	return list
}
