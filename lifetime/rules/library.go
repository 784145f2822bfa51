package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A librarySharing is the in-place and overlap behaviour of a kernel library. Kernels that it
// does not replace are the reference kernels.
type librarySharing struct {
	// version is the release whose kernels were run or read for the orders.
	version string
	// replaced are the operators that it has kernels of its own for, where a tensor that they
	// read has one of these types.
	types    []schema.TensorType
	replaced []schema.BuiltinOperator
	// all reports that only copying kernels are known.
	all bool
	// elements are the replaced operators that compute element by element, so that the output
	// may be in place of an input of the same size. orders are the operators with a measured
	// order, and read those whose order is known only from their source.
	elements     []schema.BuiltinOperator
	orders, read map[schema.BuiltinOperator]kernelOrder
	// copiesAnew reports that its IF copies even if both tensors are at the same address.
	copiesAnew bool
}

// sharingOf returns the behaviour of a library, or nil for the reference kernels. The marker of
// a file may name any library; for an unknown library, only copies are permitted.
func sharingOf(library string) *librarySharing {
	if library == "" {
		return nil
	}
	l, err := kernels.Lookup(library)
	if err != nil {
		return &unknownSharing
	}
	if l == kernels.Reference {
		return nil
	}
	s, known := sharings[l.Base()]
	switch {
	case !known:
		return &unknownSharing
	case l.Version != s.version:
		return s.ofUnknownOrder()
	}
	return s
}

// sharings are those of the libraries, by name without the release.
var sharings = map[string]*librarySharing{
	"cmsis-nn-scalar": &armScalarSharing, "cmsis-nn-scalar-size": &armScalarSharing,
	"cmsis-nn-dsp": &armSharingDSP, "cmsis-nn-dsp-size": &armSharingDSP,
	"cmsis-nn-mve": &armSharingMVE, "cmsis-nn-mve-size": &armSharingMVE,
	"esp-nn-generic": &espSharingInC, "esp-nn-ansi": &espSharingInC,
	"esp-nn-s3": &espSharing, "esp-nn-p4": &espSharing,
}

// ofUnknownOrder is a release of the library that replaces the same kernels, but with unknown
// order of reads and writes.
func (l *librarySharing) ofUnknownOrder() *librarySharing {
	return &librarySharing{types: l.types, replaced: l.replaced, copiesAnew: l.copiesAnew}
}

// unknownSharing is the behaviour of an unknown library.
var unknownSharing = librarySharing{all: true, copiesAnew: true}

// elementsOfBoth are the element-wise kernels of both libraries. (CMSIS-NN 99f736a, ESP-NN
// d45b843: each element is read before it is written, at the same index.)
var elementsOfBoth = []schema.BuiltinOperator{schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL}

// armSharingDSP is CMSIS-NN for the DSP extension. (tflite-micro 90b983c, kernels/cmsis_nn.)
var armSharingDSP = librarySharing{
	version: "99f736a",
	types:   []schema.TensorType{schema.TensorTypeINT8, schema.TensorTypeINT16},
	replaced: append([]schema.BuiltinOperator{
		schema.BuiltinOperatorTRANSPOSE_CONV, schema.BuiltinOperatorSVDF, schema.BuiltinOperatorBATCH_MATMUL,
		schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2,
		schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM, schema.BuiltinOperatorTRANSPOSE,
	}, replacedByBoth...),
	elements: elementsOfBoth, read: armReadDSP,
}

// armSharingMVE is the same for cores with Helium.
var armSharingMVE = librarySharing{version: armSharingDSP.version, types: armSharingDSP.types, replaced: armSharingDSP.replaced, elements: elementsOfBoth, read: armReadMVE}

// armScalarSharing is CMSIS-NN for cores without SIMD, with measured orders.
var armScalarSharing = librarySharing{
	version: armSharingDSP.version,
	types:   armSharingDSP.types, replaced: armSharingDSP.replaced, elements: elementsOfBoth, orders: armOrders, read: armRead,
}

// espSharing is ESP-NN with vector code. (esp-tflite-micro 99f49e1, kernels/esp_nn.)
var espSharing = librarySharing{
	version: "1.2.3",
	types:   []schema.TensorType{schema.TensorTypeINT8}, replaced: replacedByBoth, copiesAnew: true, read: espReadVectors,
}

// espSharingInC is ESP-NN in C.
var espSharingInC = librarySharing{
	version: espSharing.version,
	types:   espSharing.types, replaced: replacedByBoth, copiesAnew: true, elements: elementsOfBoth, orders: espOrders, read: espRead,
}

var replacedByBoth = []schema.BuiltinOperator{
	schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorCONV_2D,
	schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED, schema.BuiltinOperatorAVERAGE_POOL_2D,
	schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorSOFTMAX,
}

// replaces reports whether the library has its own kernel for an operator with such inputs.
func (l *librarySharing) replaces(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) bool {
	return l != nil && l.all || l != nil && slices.Contains(l.replaced, code) && slices.ContainsFunc(o.Inputs, func(i int) bool {
		return i >= 0 && slices.Contains(l.types, sub.Tensors[i].Type)
	})
}

// sharing returns how an operator may share memory with the kernels of a library, and the name
// of the kernel's library.
func sharing(library string, code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) (kind Sharing, of string) {
	kind, l := SharingOf(code), sharingOf(library)
	switch {
	case l == nil || kind == Branching && !l.copiesAnew:
		return kind, ""
	case kind == Branching:
		return NoSharing, ""
	case kind != Padding && kind != Computing || !l.replaces(code, sub, o):
		return kind, ""
	case slices.Contains(l.elements, code):
		return kind, library
	}
	return NoSharing, ""
}

// SharesInPlace reports whether the kernel of an operator with such inputs permits an in-place
// output, as [Alias.InPlace] does for the reference kernels.
func (d Device) SharesInPlace(code schema.BuiltinOperator, inputs []schema.TensorType) bool {
	sub, o := &tflite.Subgraph{}, &tflite.Operator{}
	for i, kind := range inputs {
		sub.Tensors, o.Inputs = append(sub.Tensors, tflite.Tensor{Type: kind}), append(o.Inputs, i)
	}
	kind, _ := sharing(d.Kernels, code, sub, o)
	return kind != NoSharing
}

// orderOf returns the order in which the kernel of an operator reads and writes. It returns
// false if the order is unknown, or not known well enough for the permitted level.
func orderOf(library string, a Alias, code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) (order libraryOrder, known bool) {
	l := sharingOf(library)
	if !l.replaces(code, sub, o) {
		order.kernelOrder, known = kernelOrders[code]
		return order, known
	}
	order.library = library
	if order.kernelOrder, known = l.orders[code]; known || a != UnmeasuredAlias {
		return order, known
	}
	order.unmeasured = true
	order.kernelOrder, known = l.read[code]
	return order, known
}

// OrdersMeasured reports whether runs of a library's kernels have shown in which order they
// read and write. If only their source is known, [View.Overlaps] uses them only for
// [UnmeasuredAlias].
func OrdersMeasured(library string) bool {
	l := sharingOf(library)
	return l == nil || l.orders != nil
}

// OrdersKnown reports whether the order of reads and writes is known for any of a library's
// kernels, from runs or their source.
func OrdersKnown(library string) bool {
	l := sharingOf(library)
	return l == nil || l.orders != nil || l.read != nil
}

// inKernels names the kernels of a library for a sentence, "" for the reference kernels.
func inKernels(library string) string {
	if library == "" {
		return "in the reference kernels"
	}
	return "in the " + library + " kernels"
}
