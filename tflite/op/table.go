package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// facts describe one kind of operator. A zero field means that the fact does not apply or is
// unknown.
type facts struct {
	// shapes derives the shapes of the outputs; it fails by [node.fail].
	shapes func(node) [][]int64
	// multipleOutputs reports that the kind may have several outputs.
	multipleOutputs bool
	macs            func(node) Count
	// reads maps outputs to input regions; if absent, inputs are read whole.
	reads reader
	// window is set for kinds with a kernel of height and width; see [WindowOf].
	window func(node) Window
	// effects reports side effects or hidden inputs; see [HasEffects].
	effects bool
	// params are the positions of the parameter inputs; see [Parameters].
	params []int
	// arity is the number of inputs of an element-wise kind; see [Known].
	arity int
	// points is the number of inputs of a kind that can be tiled anywhere; see [Points].
	points int
	// values computes integers that are known before a run; see [node.evaluate]. growth says how they
	// depend on the inputs' integers.
	values evaluation
	growth growth
	// grows are the parameters with whose numbers all output dimensions grow, or stay, as they do with
	// the dimensions of all inputs; turns reports operators that are an exception to both.
	grows []int
	turns func(extremes) bool
	// keeps reports that an output has as many elements as input 0.
	keeps bool
	// limits returns the smallest and the largest output shapes if they depend on data in another way.
	limits func(extremes) (least, most [][]int64)
}

// growing returns the facts of a kind whose output dimensions grow with the numbers of a parameter.
func (f facts) growing(parameter int) facts {
	f.grows = []int{parameter}
	return f
}

// turning returns the facts of a kind with such operators.
func (f facts) turning(turns func(extremes) bool) facts {
	f.turns = turns
	return f
}

// limited returns the facts of a kind with limits of its output shapes.
func (f facts) limited(limits func(extremes) (least, most [][]int64)) facts {
	f.limits = limits
	return f
}

// keeping returns the facts of a kind whose output has as many elements as input 0.
func (f facts) keeping() facts {
	f.keeps = true
	return f
}

// valued returns the facts of a kind with which graphs compute shapes.
func (f facts) valued(values evaluation) facts {
	f.values = values
	return f
}

// A reader derives, for each input, the region that an output depends on. If it fails by
// [node.fail], inputs are read whole.
type reader struct {
	// pattern is the access pattern of the most significant axis.
	pattern Pattern
	of      func(n node, output int) []Region
}

// customs holds the facts of custom operators known by name.
var customs = map[string]facts{
	"Convolution2DTransposeBias":   mediapipeTransposeConv,
	"SignalFilterBank":             signalFilterBank,
	"TFLite_Detection_PostProcess": facts{}.limited(detectionLimits),
}

// lookup returns the facts of an operator, zero if it is not in the tables.
func lookup(m *tflite.Model, o *tflite.Operator) facts {
	code := m.OperatorCodes[o.Code]
	if code.Builtin == schema.BuiltinOperatorCUSTOM {
		return customs[code.Custom]
	}
	return builtins[code.Builtin]
}

// Known lists the facts that the table has of one kind of operator.
type Known struct {
	// Shapes and MACs report that there is a formula; its operands may still be missing in a
	// file.
	Shapes, MACs bool
	// Reads is the most significant access pattern of the kind's inputs.
	Reads Pattern
	// Effects and Parameters are as in [HasEffects] and [Parameters].
	Effects    bool
	Parameters []int
	// Arity is the number of inputs of an element-wise kind, [AnyNumber] if not fixed, and 0 if
	// the kind is not element-wise. An element-wise operator computes each output element from
	// the input elements at the same position, broadcasting dimensions of 1.
	Arity int
}

// Of returns the known facts of a builtin operator.
func Of(code schema.BuiltinOperator) Known {
	f := builtins[code]
	return Known{
		Shapes: f.shapes != nil, MACs: f.macs != nil, Reads: f.reads.pattern,
		Effects: f.effects || code == schema.BuiltinOperatorCUSTOM, Parameters: f.params, Arity: f.arity,
	}
}

// AnyNumber is the arity of element-wise operators that take any number of inputs.
const AnyNumber = -1

// Points returns the number of inputs of a kind that computes each output position, in height
// and width, from the same position of its inputs, and that tests in both runtimes computed in
// tiles with the same result. It returns 0 for all other kinds.
func Points(code schema.BuiltinOperator) int { return builtins[code].points }

// Parameters returns the positions of the inputs that control an operator's computation and
// that converters write as constants: shapes, sizes, axes, paddings, permutations. Weights are
// data and not included. The list is ascending and must not be modified.
func Parameters(m *tflite.Model, o *tflite.Operator) []int { return lookup(m, o).params }
