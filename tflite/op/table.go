package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// facts are what is known of one kind of operator. A field that is zero says that the kind
// has nothing of it, or that nothing is known.
type facts struct {
	// shapes derives the shapes of the outputs; it fails by [node.fail].
	shapes func(node) [][]int64
	// many says that the kind may have more outputs than one.
	many bool
	macs func(node) Count
	// reads says where an output takes its elements from; without it, all is read whole.
	reads reader
	// window is that of a kind with a kernel of height and width; see [WindowOf].
	window func(node) Window
	// effects says that the kind does more than its tensors show; see [HasEffects].
	effects bool
	// params are the positions of inputs that say how it computes; see [Parameters].
	params []int
	// arity is how many inputs an element-wise kind has; see [Known].
	arity int
	// points is how many inputs a kind has that can be cut anywhere; see [Points].
	points int
}

// A reader derives, for each input, the region that one of the outputs is made of. It may
// fail by [node.fail]: then all is read whole.
type reader struct {
	// way says in one word what the most telling axis is.
	way Way
	of  func(n node, output int) []Region
}

// customs has the facts of custom operators that are known by name.
var customs = map[string]facts{
	"Convolution2DTransposeBias": mediapipeTransposeConv,
	"SignalFilterBank":           signalFilterBank,
}

// lookup returns the facts of an operator, none where it is not in the tables.
func lookup(m *tflite.Model, o *tflite.Operator) facts {
	code := m.OperatorCodes[o.Code]
	if code.Builtin == schema.BuiltinOperatorCUSTOM {
		return customs[code.Custom]
	}
	return builtins[code.Builtin]
}

// Known says which facts the table has of one kind of operator.
type Known struct {
	// Shapes and MACs say that there is a formula: what it needs may still be missing in a
	// file.
	Shapes, MACs bool
	// Reads is the most telling way in which the kind reads an input.
	Reads Way
	// Effects and Parameters are those of [HasEffects] and [Parameters].
	Effects    bool
	Parameters []int
	// Arity is how many inputs an element-wise kind of operator has, [AnyNumber] where it
	// may have as many as it likes, and 0 where it is not element-wise. An element-wise operator
	// makes each element of its output from the elements at its place, where a dimension of 1 is
	// repeated.
	Arity int
}

// Of returns what is known of a builtin kind of operator.
func Of(code schema.BuiltinOperator) Known {
	f := builtins[code]
	return Known{
		Shapes: f.shapes != nil, MACs: f.macs != nil, Reads: f.reads.way,
		Effects: f.effects || code == schema.BuiltinOperatorCUSTOM, Parameters: f.params, Arity: f.arity,
	}
}

// AnyNumber is the arity of element-wise operators that take any number of inputs.
const AnyNumber = -1

// Points returns how many inputs a kind of operator has if it makes each position of its output, in height and
// width, from the same position of its inputs, and if tests in both runtimes showed that it can be computed piece
// by piece with the same result. It returns 0 for all other kinds.
func Points(code schema.BuiltinOperator) int { return builtins[code].points }

// Parameters returns the positions of the inputs that say how an operator computes, and that
// converters write as constants: shapes, sizes, axes, paddings, permutations. Weights are none:
// they are data. The list is ascending, and must not be changed.
func Parameters(m *tflite.Model, o *tflite.Operator) []int { return lookup(m, o).params }
