package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// facts are what is known of one kind of operator. A field that is zero says that the kind
// has nothing of it.
type facts struct {
	macs func(node) Count
	// effects says that the kind does more than its tensors show; see [HasEffects].
	effects bool
}

// builtins has the facts of the format's own operators.
var builtins = map[schema.BuiltinOperator]facts{
	schema.BuiltinOperatorCONV_2D:               conv2D,
	schema.BuiltinOperatorDEPTHWISE_CONV_2D:     depthwiseConv2D,
	schema.BuiltinOperatorCONV_3D:               conv3D,
	schema.BuiltinOperatorTRANSPOSE_CONV:        transposeConv,
	schema.BuiltinOperatorCONV_3D_TRANSPOSE:     conv3DTranspose,
	schema.BuiltinOperatorSTABLEHLO_CONVOLUTION: stablehloConvolution,

	schema.BuiltinOperatorFULLY_CONNECTED:         fullyConnected,
	schema.BuiltinOperatorBATCH_MATMUL:            batchMatMul,
	schema.BuiltinOperatorSTABLEHLO_DOT_GENERAL:   dotGeneral,
	schema.BuiltinOperatorEMBEDDING_LOOKUP_SPARSE: embeddingLookupSparse,

	schema.BuiltinOperatorLSTM:                         lstm,
	schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: sequenceLSTM,
	schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_LSTM:  bidirectionalLSTM,
	schema.BuiltinOperatorRNN:                          rnn,
	schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_RNN:  rnn,
	schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_RNN:   bidirectionalRNN,
	schema.BuiltinOperatorSVDF:                         svdf,

	schema.BuiltinOperatorIF:              controlFlow,
	schema.BuiltinOperatorWHILE:           controlFlow,
	schema.BuiltinOperatorCALL:            controlFlow,
	schema.BuiltinOperatorCALL_ONCE:       controlFlow,
	schema.BuiltinOperatorSTABLEHLO_CASE:  controlFlow,
	schema.BuiltinOperatorSTABLEHLO_WHILE: controlFlow,

	schema.BuiltinOperatorDELEGATE:              elsewhere,
	schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL: elsewhere,

	schema.BuiltinOperatorVAR_HANDLE:       resource,
	schema.BuiltinOperatorREAD_VARIABLE:    resource,
	schema.BuiltinOperatorASSIGN_VARIABLE:  resource,
	schema.BuiltinOperatorHASHTABLE:        resource,
	schema.BuiltinOperatorHASHTABLE_FIND:   resource,
	schema.BuiltinOperatorHASHTABLE_IMPORT: resource,
	schema.BuiltinOperatorHASHTABLE_SIZE:   resource,

	schema.BuiltinOperatorRANDOM_UNIFORM:              random,
	schema.BuiltinOperatorRANDOM_STANDARD_NORMAL:      random,
	schema.BuiltinOperatorMULTINOMIAL:                 random,
	schema.BuiltinOperatorSTABLEHLO_RNG_BIT_GENERATOR: random,
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

// A node is an operator with the subgraph that its tensors are of.
type node struct {
	sub *tflite.Subgraph
	op  *tflite.Operator
}

// input returns an input, nil where it is absent.
func (n node) input(position int) *tflite.Tensor { return n.sub.Operand(n.op.Inputs, position) }

// output returns an output, nil where it is absent.
func (n node) output(position int) *tflite.Tensor { return n.sub.Operand(n.op.Outputs, position) }
