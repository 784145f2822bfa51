package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// A Writing names the way a kernel writes its outputs while it reads its inputs.
type Writing string

const (
	// AnyWriting is an unknown order, or one that permits no overlap, such as a kernel that
	// clears its output first.
	AnyWriting Writing = ""
	// ByElement writes each element after reading everything that it depends on.
	ByElement Writing = "elements"
	// ByPiece copies one contiguous piece after another, each at once.
	ByPiece Writing = "pieces"
	// AtEnd writes everything after all reads.
	AtEnd Writing = "at end"
)

// WritingOf returns how the reference kernels of TensorFlow Lite Micro write the outputs of a
// kind of operator, if that permits [View.Overlaps]. Some kinds have it only for some types of
// tensors.
func WritingOf(code schema.BuiltinOperator) Writing { return kernelOrders[code].writing }

// A kernelOrder is the order in which a kernel reads and writes.
type kernelOrder struct {
	writing Writing
	// loops describes the accesses of the kernel to an input and an output. It returns false if
	// they are unknown, for example for the weights of a convolution.
	loops func(k *kernelLoops, input, output int) (diagonal.Nest, bool)
}

// A libraryOrder is the order of a library's kernel, "" for the reference kernels.
type libraryOrder struct {
	kernelOrder
	library string
	// unmeasured reports that the order is known only from the source.
	unmeasured bool
}

// where names the kernel's library and the evidence for the order.
func (o libraryOrder) where() string {
	if o.unmeasured {
		return inKernels(o.library) + " as their source says, which no run has confirmed"
	}
	return inKernels(o.library)
}

// why describes the kernel's writes.
func (o kernelOrder) why() string {
	switch o.writing {
	case ByPiece:
		return "copies piece by piece, and what it has copied is free"
	case AtEnd:
		return "reads all of its input before it writes"
	}
	return "goes through its output element by element, and what no later element needs is free"
}

// kernelOrders holds the known orders of the reference kernels. (tflite-micro 90b983c; each is
// compared with the real runtime.)
var kernelOrders = func() map[schema.BuiltinOperator]kernelOrder {
	orders := map[schema.BuiltinOperator]kernelOrder{
		schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(convolved)},
		schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(convolvedByChannel)},
		schema.BuiltinOperatorTRANSPOSE_CONV:    {AtEnd, spread},
		schema.BuiltinOperatorAVERAGE_POOL_2D:   {ByElement, pooled},
		schema.BuiltinOperatorMAX_POOL_2D:       {ByElement, pooled},
		schema.BuiltinOperatorL2_POOL_2D:        {ByElement, pooled},

		schema.BuiltinOperatorFULLY_CONNECTED:  {ByElement, firstInput(connected)},
		schema.BuiltinOperatorBATCH_MATMUL:     {ByElement, multiplied},
		schema.BuiltinOperatorSOFTMAX:          {ByElement, inRows},
		schema.BuiltinOperatorLOG_SOFTMAX:      {ByElement, inRows},
		schema.BuiltinOperatorL2_NORMALIZATION: {ByElement, inRows},
		schema.BuiltinOperatorARG_MAX:          {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorARG_MIN:          {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorSELECT_V2:        {ByElement, chosen},

		schema.BuiltinOperatorPAD:            {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorPADV2:          {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorMIRROR_PAD:     {ByElement, firstInput(mirrored)},
		schema.BuiltinOperatorTRANSPOSE:      {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorSPACE_TO_DEPTH: {ByElement, toDepth},
		schema.BuiltinOperatorDEPTH_TO_SPACE: {ByElement, toSpace},

		schema.BuiltinOperatorRESIZE_BILINEAR:         {ByElement, firstInput(interpolated)},
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: {ByPiece, firstInput(copiedInOrder)},

		schema.BuiltinOperatorSLICE:         {ByElement, firstInput(inOrder)},
		schema.BuiltinOperatorSTRIDED_SLICE: {ByPiece, firstInput(copiedInOrder)},
		schema.BuiltinOperatorCONCATENATION: {ByPiece, concatenated},
		schema.BuiltinOperatorPACK:          {ByElement, packed},
		schema.BuiltinOperatorUNPACK:        {ByElement, unpacked},
		schema.BuiltinOperatorSPLIT:         {ByElement, taken(1)},
		schema.BuiltinOperatorSPLIT_V:       {ByElement, firstInput(taken(0))},
	}
	for _, list := range [][]schema.BuiltinOperator{elementwise, compared} {
		for _, code := range list {
			orders[code] = kernelOrder{ByElement, inOrder}
		}
	}
	return orders
}()

// compared are the element-wise operators missing from elementwise that iterate over their
// elements in order: comparisons, whose outputs have another width, and PRELU.
var compared = []schema.BuiltinOperator{
	schema.BuiltinOperatorEQUAL,
	schema.BuiltinOperatorGREATER,
	schema.BuiltinOperatorGREATER_EQUAL,
	schema.BuiltinOperatorLESS,
	schema.BuiltinOperatorLESS_EQUAL,
	schema.BuiltinOperatorNOT_EQUAL,
	schema.BuiltinOperatorPRELU,
}

// firstInput restricts an order to the first input.
//
//go:noinline
func firstInput(loops func(k *kernelLoops, input, output int) (diagonal.Nest, bool)) func(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	return func(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
		if input != 0 {
			return diagonal.Nest{}, false
		}
		return loops(k, input, output)
	}
}
