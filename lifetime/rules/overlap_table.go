package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// A Writing says in one word how a kernel writes its outputs while it reads its inputs.
type Writing string

const (
	// AnyWriting: in an order that is not known, or in one that lets nothing overlap, such as
	// that of a kernel which clears its output first.
	AnyWriting Writing = ""
	// ByElement: each element when all has been read that it is made of.
	ByElement Writing = "elements"
	// ByPiece: one piece after another, each copied at once.
	ByPiece Writing = "pieces"
	// AtEnd: all when everything has been read.
	AtEnd Writing = "at end"
)

// WritingOf returns how the reference kernels of TensorFlow Lite Micro write the outputs of
// operators of a kind, where that lets [View.Overlaps] find overlaps. It depends on the types of
// the tensors, too: a kind may have one for some types alone.
func WritingOf(code schema.BuiltinOperator) Writing { return kernelOrders[code].writing }

// A kernelOrder is the order in which a kernel reads and writes.
type kernelOrder struct {
	writing Writing
	// loops describes what the kernel does with an input and an output: false where that is
	// not known, such as for the weights of a convolution.
	loops func(k *kernelLoops, input, output int) (diagonal.Nest, bool)
}

// A libraryOrder is the order of a kernel of a library, "" for the reference kernels.
type libraryOrder struct {
	kernelOrder
	library string
	// unmeasured says that its source alone tells.
	unmeasured bool
}

// where says whose kernel it is, and how the order is known.
func (o libraryOrder) where() string {
	if o.unmeasured {
		return inKernels(o.library) + " as their source says, which no run has confirmed"
	}
	return inKernels(o.library)
}

// why says what the kernel does.
func (o kernelOrder) why() string {
	switch o.writing {
	case ByPiece:
		return "copies piece by piece, and what it has copied is free"
	case AtEnd:
		return "reads all of its input before it writes"
	}
	return "goes through its output element by element, and what no later element needs is free"
}

// kernelOrders has the kinds of operators of which the order of the reference kernels is known.
// (tflite-micro 90b983c; each is compared with the real runtime.)
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

// compared are the element-wise operators, besides those of elementwise, that go through their
// elements in order: comparisons, whose outputs are of another width, and PRELU.
var compared = []schema.BuiltinOperator{
	schema.BuiltinOperatorEQUAL,
	schema.BuiltinOperatorGREATER,
	schema.BuiltinOperatorGREATER_EQUAL,
	schema.BuiltinOperatorLESS,
	schema.BuiltinOperatorLESS_EQUAL,
	schema.BuiltinOperatorNOT_EQUAL,
	schema.BuiltinOperatorPRELU,
}

// firstInput is an order that is known for the first input alone.
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
