package models

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Scales of quantised tensors: the real value of one integer step. All activations share one
// scale, because some kernels require equal scales of inputs and output.
const (
	activationScale  = 1.0 / 16
	probabilityScale = 1.0 / 256 // of SOFTMAX and LOGISTIC; -128 is 0
	tanhScale        = 1.0 / 128
	largestInt8      = 127
)

// quantize turns a float graph into an integer one, as converters do in full integer
// quantisation: 8-bit activations and weights, 32-bit biases. Convolution filters have a scale
// per channel.
func (g *graph) quantize() {
	q := quantizer{graph: g, fanIn: map[int]int64{}, floatTensors: map[int]bool{}}
	for _, w := range g.weights {
		q.fanIn[w.tensor] = w.fanIn
	}
	for _, o := range g.sub.Operators {
		q.weights(o)
	}
	for _, n := range g.numbers {
		q.number(n)
	}
	operators := g.sub.Operators
	g.sub.Operators = nil
	for _, o := range operators {
		if o.Builtin == schema.BuiltinOperatorLOCAL_RESPONSE_NORMALIZATION {
			q.inFloats(o)
		} else {
			q.operator(o)
		}
	}
	for i := range g.sub.Tensors {
		q.tensor(i, schema.TensorTypeINT8, activationScale, 0)
	}
}

type quantizer struct {
	*graph
	fanIn        map[int]int64 // of the weights
	floatTensors map[int]bool  // tensors that stay float
}

// tensor quantises a float tensor with one scale. It ignores tensors that are already integer
// or must stay float.
func (q *quantizer) tensor(i int, kind schema.TensorType, scale float64, zero int64) {
	t := &q.sub.Tensors[i]
	if t.Type == schema.TensorTypeFLOAT32 && !q.floatTensors[i] {
		t.Type = kind
		t.Quantization = encode.Quantization{Scales: []float32{float32(scale)}, Zeros: []int64{zero}}
	}
}

// weights quantises the filter and the bias of an operator, if it has them.
func (q *quantizer) weights(o encode.Operator) {
	filter, bias, dimension := 1, 2, int32(0)
	switch o.Builtin {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorFULLY_CONNECTED:
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		dimension = 3
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		bias = 3
	default:
		return
	}
	w := o.Inputs[filter]
	scale := spread(q.fanIn[w]) / 2 / largestInt8
	q.tensor(w, schema.TensorTypeINT8, scale, 0)
	b := o.Inputs[bias]
	if b >= 0 {
		q.tensor(b, schema.TensorTypeINT32, scale*activationScale, 0)
	}
	if o.Builtin != schema.BuiltinOperatorFULLY_CONNECTED {
		channels := int(q.sub.Tensors[w].Shape[dimension])
		q.perChannel(w, channels, dimension)
		q.perChannel(b, channels, 0)
	}
}

func (q *quantizer) perChannel(i, channels int, dimension int32) {
	p := &q.sub.Tensors[i].Quantization
	scale := p.Scales[0]
	*p = encode.Quantization{Scales: make([]float32, channels), Zeros: make([]int64, channels), Dimension: dimension, Once: true}
	for c := range p.Scales {
		p.Scales[c] = scale
	}
}

// number quantises a constant that is part of the architecture; its largest value maps to 127.
func (q *quantizer) number(n numbers) {
	var largest float64
	for _, v := range n.values {
		largest = max(largest, math.Abs(float64(v)))
	}
	scale := activationScale
	if largest > 0 {
		scale = largest / largestInt8
	}
	q.tensor(n.tensor, schema.TensorTypeINT8, scale, 0)
}

// operator quantises the outputs of an operator.
func (q *quantizer) operator(o encode.Operator) {
	for _, y := range o.Outputs {
		switch from, keeps := keepsScale[o.Builtin]; {
		case o.Builtin == schema.BuiltinOperatorSOFTMAX, o.Builtin == schema.BuiltinOperatorLOGISTIC:
			q.tensor(y, schema.TensorTypeINT8, probabilityScale, math.MinInt8)
		case o.Builtin == schema.BuiltinOperatorTANH:
			q.tensor(y, schema.TensorTypeINT8, tanhScale, 0)
		case keeps:
			x := o.Inputs[from]
			q.tensor(x, schema.TensorTypeINT8, activationScale, 0) // the graph's input
			q.tensor(y, schema.TensorTypeINT8, float64(q.sub.Tensors[x].Quantization.Scales[0]), q.sub.Tensors[x].Quantization.Zeros[0])
		default:
			q.tensor(y, schema.TensorTypeINT8, activationScale, 0)
		}
	}
	o.Version = max(o.Version, int8Versions[o.Builtin])
	q.sub.Operators = append(q.sub.Operators, o)
}

// inFloats adds an operator without an integer kernel, between DEQUANTIZE and QUANTIZE.
func (q *quantizer) inFloats(o encode.Operator) {
	x, y := o.Inputs[0], o.Outputs[0]
	input := q.float(x)
	output := q.float(y)
	q.operator(encode.Operator{Builtin: schema.BuiltinOperatorDEQUANTIZE, Version: 2, Inputs: []int{x}, Outputs: []int{input}})
	o.Inputs[0], o.Outputs[0] = input, output
	q.sub.Operators = append(q.sub.Operators, o)
	q.operator(encode.Operator{Builtin: schema.BuiltinOperatorQUANTIZE, Inputs: []int{output}, Outputs: []int{y}})
}

// float adds a float tensor of another tensor's shape.
func (q *quantizer) float(like int) int {
	t := q.sub.Tensors[like]
	x := q.graph.tensor(encode.Tensor{Name: t.Name + "/float", Shape: slices.Clone(t.Shape)})
	q.floatTensors[int(x)] = true
	return int(x)
}
