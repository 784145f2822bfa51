package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// A Sharing names the way in which the output of an operator may share memory with an input, in
// TensorFlow Lite Micro's own kernels.
type Sharing string

const (
	// NoSharing permits none.
	NoSharing Sharing = ""
	// Copying is an output that copies the first input and may be placed on it.
	Copying Sharing = "copies"
	// Joining permits the inputs inside the output.
	Joining Sharing = "joins"
	// Taking permits the output inside the input of which it is a part.
	Taking Sharing = "takes"
	// Padding permits an output that ends at the end of a dying input.
	Padding Sharing = "pads"
	// Computing permits the output on a dying input.
	Computing Sharing = "computes"
	// Branching is IF, which copies to the inputs and from the outputs of its branches.
	Branching Sharing = "branches"
)

// SharingOf returns how operators of a kind may share memory, regardless of [Alias].
func SharingOf(code schema.BuiltinOperator) Sharing {
	switch {
	case code == schema.BuiltinOperatorIF:
		return Branching
	case code == schema.BuiltinOperatorCONCATENATION:
		return Joining
	case slices.Contains(copies, code):
		return Copying
	case slices.Contains(cuts, code):
		return Taking
	case slices.Contains(pads, code):
		return Padding
	case slices.Contains(elementwise, code):
		return Computing
	}
	return NoSharing
}

// copies are the operators whose kernels in TensorFlow Lite Micro copy their first input to
// their output, element by element in order or in one piece, and do nothing else with it:
// DYNAMIC_UPDATE_SLICE then writes another input into it. (RESHAPE, SQUEEZE, EXPAND_DIMS and
// DYNAMIC_UPDATE_SLICE of tflite-micro 90b983c2.)
var copies = []schema.BuiltinOperator{
	schema.BuiltinOperatorRESHAPE,
	schema.BuiltinOperatorSQUEEZE,
	schema.BuiltinOperatorEXPAND_DIMS,
	schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE,
}

// pads write after what they read, in the reference kernels.
var pads = []schema.BuiltinOperator{schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2}

// elementwise are the operators whose reference kernels in TensorFlow Lite Micro, without
// broadcasting, iterate over the elements once and write each after reading it. (tflite-micro
// 90b983c2.)
var elementwise = []schema.BuiltinOperator{
	schema.BuiltinOperatorABS,
	schema.BuiltinOperatorADD,
	schema.BuiltinOperatorADD_N,
	schema.BuiltinOperatorCAST,
	schema.BuiltinOperatorCEIL,
	schema.BuiltinOperatorCOS,
	schema.BuiltinOperatorDEQUANTIZE,
	schema.BuiltinOperatorDIV,
	schema.BuiltinOperatorELU,
	schema.BuiltinOperatorEXP,
	schema.BuiltinOperatorFLOOR,
	schema.BuiltinOperatorFLOOR_DIV,
	schema.BuiltinOperatorFLOOR_MOD,
	schema.BuiltinOperatorHARD_SWISH,
	schema.BuiltinOperatorLEAKY_RELU,
	schema.BuiltinOperatorLOG,
	schema.BuiltinOperatorLOGICAL_AND,
	schema.BuiltinOperatorLOGICAL_NOT,
	schema.BuiltinOperatorLOGICAL_OR,
	schema.BuiltinOperatorLOGISTIC,
	schema.BuiltinOperatorMAXIMUM,
	schema.BuiltinOperatorMINIMUM,
	schema.BuiltinOperatorMUL,
	schema.BuiltinOperatorNEG,
	schema.BuiltinOperatorQUANTIZE,
	schema.BuiltinOperatorRELU,
	schema.BuiltinOperatorRELU6,
	schema.BuiltinOperatorROUND,
	schema.BuiltinOperatorRSQRT,
	schema.BuiltinOperatorSIN,
	schema.BuiltinOperatorSQRT,
	schema.BuiltinOperatorSQUARE,
	schema.BuiltinOperatorSQUARED_DIFFERENCE,
	schema.BuiltinOperatorSUB,
	schema.BuiltinOperatorTANH,
}

// cuts take a part of a tensor.
var cuts = []schema.BuiltinOperator{schema.BuiltinOperatorSLICE, schema.BuiltinOperatorSTRIDED_SLICE}
