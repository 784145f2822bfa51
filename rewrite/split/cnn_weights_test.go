package split_test

import (
	"encoding/binary"
	"math"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// weights adds the filter of a convolution and its bias, which is seldom left out:
// CONV_2D of LiteRT wants one, and DEPTHWISE_CONV_2D of TensorFlow Lite Micro crashes
// without. Dimension dim of the filter is the output's channels, each of which
// sums taps products. bits is the filter's type, for an input that is quantised.
func (n *cnn) weights(in int, bits schema.TensorType, dim, taps int, shape ...int32) []int {
	gain := n.uniform(0.5, 1.5) / math.Sqrt(float64(taps))
	biased := dim == 3 || !n.chance(100)
	if n.kind(in) == schema.TensorTypeFLOAT32 {
		list := []int{n.constant(n.kind(in), gain, shape...)}
		if biased {
			list = append(list, n.constant(n.kind(in), n.size[in]/4, shape[dim]))
		}
		return list
	}
	filter, scales := n.filter(bits, gain, dim, shape)
	if biased {
		return []int{filter, n.bias(in, scales, int(shape[dim]))}
	}
	return []int{filter}
}

// bits returns the type of a quantised filter: 8 or, now and then, 4 bits.
func (n *cnn) bits(in int) schema.TensorType {
	if n.kind(in) == schema.TensorTypeINT8 && n.chance(8) {
		return schema.TensorTypeINT4
	}
	return schema.TensorTypeINT8
}

// filter adds weights with a scale for each channel or one for all.
func (n *cnn) filter(bits schema.TensorType, gain float64, dim int, shape []int32) (filter int, scales []float32) {
	top := 127
	if bits == schema.TensorTypeINT4 {
		top = 7
	}
	channels := 1
	if !n.chance(4) {
		channels = int(shape[dim])
	}
	for range channels {
		scales = append(scales, float32(gain*math.Exp2(n.uniform(-1, 1))/(float64(top)*0.58)))
	}
	filter = n.fixed(bits, 1, 0, shape...)
	n.sub.Tensors[filter].Quantization = encode.Quantization{
		Scales: scales, Zeros: make([]int64, channels), Dimension: int32(dim),
	}
	values := make([]byte, count(shape))
	for i := range values {
		values[i] = byte(int8(n.between(-top, top)))
	}
	if bits == schema.TensorTypeINT4 {
		values = nibbles(values)
	}
	return n.embed(filter, values), scales
}

// nibbles packs two integers of 4 bits into each byte, the lower bits first.
func nibbles(values []byte) []byte {
	packed := make([]byte, (len(values)+1)/2)
	for i, v := range values {
		packed[i/2] |= v & 0xf << (i % 2 * 4)
	}
	return packed
}

// bias adds a value for each channel, quantised like the products that it is added to.
func (n *cnn) bias(in int, filter []float32, channels int) int {
	q := encode.Quantization{Zeros: make([]int64, len(filter))}
	for _, s := range filter {
		q.Scales = append(q.Scales, float32(n.scale(in))*s)
	}
	kind := schema.TensorTypeINT32
	if n.kind(in) == schema.TensorTypeINT16 {
		kind = schema.TensorTypeINT64
	}
	i := n.fixed(kind, 1, 0, int32(channels))
	n.sub.Tensors[i].Quantization = q
	var data []byte
	for c := range channels {
		v := int64(n.size[in] / 4 * n.uniform(-1.7, 1.7) / float64(q.Scales[c%len(q.Scales)]))
		if kind == schema.TensorTypeINT64 {
			data = binary.LittleEndian.AppendUint64(data, uint64(v))
		} else {
			data = binary.LittleEndian.AppendUint32(data, uint32(int32(v)))
		}
	}
	return n.embed(i, data)
}
