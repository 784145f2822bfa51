package split_test

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// wideNetwork returns a small network with many channels that leads to one tensor, and its
// zero points.
func wideNetwork(t *rapid.T, kind schema.TensorType) (*tflite.Model, []float64) {
	n := &network{t: t, read: map[int]int{}, kind: kind}
	n.sub.Name = "main"
	in := n.tensor(1, int32(n.pick("height", 1, 6)), int32(n.pick("width", 1, 5)), int32(n.pick("channels", 1, 12)))
	n.sub.Inputs = []int{in}
	n.open = []int{in}
	for range n.pick("operators", 1, 7) {
		back := n.pick("back", 0, min(1, len(n.open)-1))
		n.widen(n.open[len(n.open)-1-back])
	}
	n.close()
	last := n.open[len(n.open)-1]
	if n.pick("tail", 0, 2) == 0 {
		last = n.layers(n.mean(last, false))
	}
	n.sub.Outputs = []int{last}
	m := encode.Model{Subgraphs: []encode.Subgraph{n.sub}, Buffers: n.data}
	model, err := tflite.Parse(encode.Encode(m), "random")
	if err != nil {
		t.Fatal(err)
	}
	return model, n.zeros
}

// widen adds an operator, mostly one that can be cut along the channels.
func (n *network) widen(in int) int {
	switch n.pick("kind", 0, 11) {
	case 0, 1:
		return n.wideConv(in, schema.BuiltinOperatorCONV_2D, n.pick("stride", 1, 2), n.channels())
	case 2, 3:
		return n.wideConv(in, schema.BuiltinOperatorDEPTHWISE_CONV_2D, n.pick("stride", 1, 2), n.shape(in)[3]*int32(n.pick("multiplier", 1, max(1, min(3, int(32/n.shape(in)[3]))))))
	case 4:
		return n.pool(in)
	case 5:
		return n.pad(in)
	case 6:
		return n.add(encode.Operator{Builtin: schema.BuiltinOperatorRELU}, n.tensor(n.shape(in)...), in)
	case 7:
		return n.broadcast(in)
	case 8:
		return n.binary(in, n.mean(in, true))
	case 9:
		return n.binary(in, n.wideConv(in, schema.BuiltinOperatorDEPTHWISE_CONV_2D, 1, n.shape(in)[3]))
	case 10:
		other := n.open[n.pick("other", 0, len(n.open)-1)]
		for i, d := range n.shape(other) {
			if d != 1 && d != n.shape(in)[i] {
				other = in
			}
		}
		return n.binary(in, other)
	}
	return n.more(in)
}

// channels returns how many there are: a few, or groups that kernels are fond of.
func (n *network) channels() int32 {
	if n.pick("groups", 0, 2) == 0 {
		return int32(8 * n.pick("channels", 1, 4))
	}
	return int32(n.pick("channels", 1, 12))
}

// wideConv adds a convolution with padding SAME.
func (n *network) wideConv(in int, kind schema.BuiltinOperator, step int, channels int32) int {
	stride, k, s := int32(step), int32(n.pick("kernel", 1, 3)), n.shape(in)
	filter := []int32{channels, k, k, s[3]}
	o := encode.Operator{
		Builtin: kind, OptionsType: schema.BuiltinOptionsConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddStrideH(b, stride)
			schema.Conv2DOptionsAddStrideW(b, stride)
			return schema.Conv2DOptionsEnd(b)
		},
	}
	if kind == schema.BuiltinOperatorDEPTHWISE_CONV_2D {
		filter = []int32{1, k, k, channels}
		o.OptionsType = schema.BuiltinOptionsDepthwiseConv2DOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DepthwiseConv2DOptionsStart(b)
			schema.DepthwiseConv2DOptionsAddStrideH(b, stride)
			schema.DepthwiseConv2DOptionsAddStrideW(b, stride)
			schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, channels/s[3])
			return schema.DepthwiseConv2DOptionsEnd(b)
		}
	}
	bias := -1
	if n.pick("bias", 0, 3) > 0 {
		bias = n.bias(channels)
	}
	out := n.tensor(1, (s[1]+stride-1)/stride, (s[2]+stride-1)/stride, channels)
	return n.add(o, out, in, n.constant(filter...), bias)
}

// mean adds one over rows and columns.
func (n *network) mean(in int, keep bool) int {
	shape := []int32{1, n.shape(in)[3]}
	if keep {
		shape = []int32{1, 1, 1, n.shape(in)[3]}
	}
	return n.add(encode.Operator{
		Builtin: schema.BuiltinOperatorMEAN, OptionsType: schema.BuiltinOptionsReducerOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ReducerOptionsStart(b)
			schema.ReducerOptionsAddKeepDims(b, keep)
			return schema.ReducerOptionsEnd(b)
		},
	}, n.tensor(shape...), in, n.int32s([]int32{2}, 1, -2))
}

// layers adds fully connected layers and what goes element by element.
func (n *network) layers(in int) int {
	for range n.pick("layers", 0, 3) {
		units := int32(n.pick("units", 1, 12))
		bias := -1
		if n.pick("bias", 0, 1) == 1 {
			bias = n.bias(units)
		}
		in = n.add(encode.Operator{
			Builtin: schema.BuiltinOperatorFULLY_CONNECTED, OptionsType: schema.BuiltinOptionsFullyConnectedOptions,
			Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.FullyConnectedOptionsStart(b)
				return schema.FullyConnectedOptionsEnd(b)
			},
		}, n.tensor(1, units), in, n.constant(units, n.shape(in)[1]), bias)
		switch n.pick("after", 0, 2) {
		case 0:
			in = n.add(encode.Operator{Builtin: schema.BuiltinOperatorLOGISTIC}, n.tensor(1, units), in)
		case 1:
			in = n.add(encode.Operator{Builtin: schema.BuiltinOperatorMUL}, n.tensor(1, units), in, n.constant(units))
		}
	}
	return in
}
