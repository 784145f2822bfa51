package rules

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Target is what the persistent part of TensorFlow Lite Micro's arena depends on
// besides the model.
type Target struct {
	// Pointer is the size of a pointer in bytes: 4 on microcontrollers, 8 on a
	// 64-bit host.
	Pointer int64
}

// A Part is one item of the arena.
type Part struct {
	// Name is a stable name, such as "eval tensors".
	Name  string
	Bytes int64
	// Estimated says that the size depends on the kernel library or was measured,
	// where the others follow from the runtime's structs.
	Estimated bool
}

// Tail returns what the runtime keeps for good at the high end of the arena: its
// own objects, a struct for each tensor and operator, kernel data and variables.
// (Struct sizes of tflite-micro 90b983c2; kernel data of the reference kernels as
// measured on a 64-bit host and scaled by the pointers they hold.)
func Tail(m *tflite.Model, requests []Request, target Target) []Part {
	wide := target.Pointer == 8
	structs := func(narrow, wider int64) int64 {
		if wide {
			return wider
		}
		return narrow
	}
	var tensors, operators, variables, channels, kernels int64
	for i := range m.Subgraphs {
		s := &m.Subgraphs[i]
		tensors += roundUp(structs(12, 24)*int64(len(s.Tensors)), 16)
		operators += roundUp(structs(32, 64)*int64(len(s.Operators)), 16)
		variables += variableBytes(s)
		for j := range s.Operators {
			k := kernel{m, s, &s.Operators[j], target.Pointer}
			channels += k.channelBytes()
			kernels += dataBytes(k.code(), target) + k.keptBytes()
		}
	}
	return []Part{
		{"runtime objects", structs(320, 480), true},
		{"subgraphs", structs(8, 16) * int64(len(m.Subgraphs)), false},
		{"eval tensors", tensors, false},
		{"graph inputs and outputs", structs(32+20, 64+32) * int64(ends(m)), false},
		{"nodes and registrations", operators, false},
		{"scratch handles", target.Pointer * int64(len(requests)), false},
		{"variables", variables, false},
		{"per-channel quantisation", channels, false},
		{"kernel data", kernels, true},
	}
}

// Planning returns the bytes that TensorFlow Lite Micro needs between head and tail
// while it plans the view's memory, and frees afterwards. An arena must hold the tail
// and the larger of this and the head.
func (v *View) Planning(requests []Request, target Target) int64 {
	request, pointer, info := int64(12), int64(4), int64(24)
	if target.Pointer == 8 {
		request, pointer, info = 16, 8, 32
	}
	// The runtime reserves room for one operator's requests, twelve, at all times.
	const perOperator, planned = 12, 40
	all := int64(v.count(func(*tflite.Tensor) bool { return true }))
	n := int64(len(requests))
	return (perOperator+n)*request + pointer*int64(len(v.Model.Subgraphs)) +
		info*(all+n) + planned*(int64(len(v.Records()))+n)
}

// ends counts the inputs and outputs of the subgraph in which the run starts.
func ends(m *tflite.Model) int {
	if len(m.Subgraphs) == 0 {
		return 0
	}
	return len(m.Subgraphs[0].Inputs) + len(m.Subgraphs[0].Outputs)
}

func variableBytes(s *tflite.Subgraph) int64 {
	var sum int64
	for i := range s.Tensors {
		t := &s.Tensors[i]
		if n, ok := t.Elements(); t.Variable && ok && n <= maxSize {
			sum += roundUp(n*microSizes(t.Type)/8, 16)
		}
	}
	return sum
}

// channelBytes are the multipliers and shifts of a convolution, four bytes a channel
// in an array each.
func (k kernel) channelBytes() int64 {
	return channelBytes(k.code(), dim(k.output(0), 3))
}

func channelBytes(code schema.BuiltinOperator, channels int64) int64 {
	switch code {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV:
		return 2 * roundUp(4*channels, 16)
	}
	return 0
}

func (k kernel) code() schema.BuiltinOperator { return k.model.OperatorCodes[k.op.Code].Builtin }

// OperatorTail returns what the runtime keeps for good for one operator, in bytes: its part
// of [Tail]. channels are those of its output.
func OperatorTail(code schema.BuiltinOperator, channels int64, target Target) int64 {
	node := int64(32)
	if target.Pointer == 8 {
		node = 64
	}
	return node + dataBytes(code, target) + channelBytes(code, channels)
}

// TensorTail returns what the runtime keeps for good for one tensor, in bytes.
func TensorTail(target Target) int64 {
	if target.Pointer == 8 {
		return 24
	}
	return 12
}

// keptBytes is data of the size of a tensor that a kernel keeps: BATCH_MATMUL its
// transposed right side, and READ_VARIABLE stands for the resource variable itself.
func (k kernel) keptBytes() int64 {
	var t *tflite.Tensor
	switch k.code() {
	case schema.BuiltinOperatorBATCH_MATMUL:
		t = k.input(1)
	case schema.BuiltinOperatorREAD_VARIABLE:
		t = k.output(0)
	}
	if t == nil {
		return 0
	}
	return roundUp(k.elements(t)*microSizes(t.Type)/8, 16)
}

// dataBytes is about what a kernel of the reference library keeps for an operator,
// options included.
func dataBytes(code schema.BuiltinOperator, target Target) int64 {
	if target.Pointer == 8 {
		return wideBytes(code)
	}
	return wideBytes(code) * 4 / 5
}

// wideBytes is dataBytes on a 64-bit host: fitted to the tails that the runtime reported for
// 63 real models, and of some that were cut into pieces.
func wideBytes(code schema.BuiltinOperator) int64 {
	switch code {
	case schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM:
		return 688
	case schema.BuiltinOperatorSOFTMAX, schema.BuiltinOperatorTRANSPOSE_CONV:
		return 136
	case schema.BuiltinOperatorFULLY_CONNECTED:
		return 120
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorLOGISTIC:
		return 112
	case schema.BuiltinOperatorSTRIDED_SLICE:
		return 112
	case schema.BuiltinOperatorADD:
		return 96
	case schema.BuiltinOperatorCONCATENATION:
		return 88
	case schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2:
		return 64
	case schema.BuiltinOperatorSLICE:
		return 0
	}
	return 48
}
