package split_test

import "github.com/tflarena/tflarena/schema"

// fused returns an activation that a convolution or an ADD has in itself, mostly none.
func (n *cnn) fused() schema.ActivationFunctionType {
	return []schema.ActivationFunctionType{
		schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeRELU,
		schema.ActivationFunctionTypeRELU6, schema.ActivationFunctionTypeRELU_N1_TO_1,
	}[n.IntN(5)]
}

// behind adds a tensor for what an activation lets through. Above the zero point there is
// room for it.
func (n *cnn) behind(fused schema.ActivationFunctionType, kind schema.TensorType, size float64, shape ...int32) int {
	i := n.tensor(kind, size, shape...)
	if q := n.sub.Tensors[i].Quantization; fused != schema.ActivationFunctionTypeNONE && len(q.Zeros) > 0 {
		q.Zeros[0] = min(q.Zeros[0], 25)
	}
	return i
}

// slide returns a window's way and the size of what it makes.
func (n *cnn) slide(in int, dilation bool) (s slide, h, w int32) {
	kernels := []int32{1, 3, 3, 5, 2, 4}
	s = slide{padding: schema.Padding(n.IntN(2)), strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}
	s.kh = kernels[n.IntN(len(kernels))]
	s.kw = s.kh
	if n.chance(4) {
		s.kw = kernels[n.IntN(len(kernels))]
	}
	switch {
	case n.chance(3):
		s.strideH, s.strideW = n.between(1, 3), n.between(1, 3)
	case dilation && n.chance(3):
		s.dilateH, s.dilateW = n.between(1, 2), n.between(1, 2)
	}
	h, w = s.fit(n.shape(in))
	return s, h, w
}

// still returns a way that keeps the size of the feature map.
func (n *cnn) still() slide {
	k := n.between(0, 2)*2 + 1
	return slide{padding: schema.PaddingSAME, kh: k, kw: k, strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}
}

func (n *cnn) conv(in int) int {
	s, h, w := n.slide(in, true)
	return n.convBy(in, s, h, w, n.between(1, 8))
}

// same is a convolution that keeps the size of the feature map.
func (n *cnn) same(in int) int {
	shape := n.shape(in)
	return n.convBy(in, n.still(), shape[1], shape[2], shape[3])
}

func (n *cnn) convBy(in int, s slide, h, w, channels int32) int {
	c := n.shape(in)[3]
	if c%2 == 0 && channels%2 == 0 && n.chance(12) {
		c /= 2 // two groups
	}
	weights := n.weights(in, n.bits(in), 0, int(s.kh*s.kw*c), channels, s.kh, s.kw, c)
	fused := n.fused()
	out := n.behind(fused, n.kind(in), n.size[in], 1, h, w, channels)
	return n.add(convOperator(s, fused), out, append([]int{in}, weights...)...)
}

func (n *cnn) depthwise(in int) int {
	s, h, w := n.slide(in, true)
	return n.depthwiseBy(in, s, h, w, n.between(1, 2))
}

func (n *cnn) depthwiseBy(in int, s slide, h, w, multiplier int32) int {
	c := n.shape(in)[3] * multiplier
	weights := n.weights(in, n.bits(in), 3, int(s.kh*s.kw), 1, s.kh, s.kw, c)
	fused := n.fused()
	out := n.behind(fused, n.kind(in), n.size[in], 1, h, w, c)
	return n.add(depthwiseOperator(s, multiplier, fused), out, append([]int{in}, weights...)...)
}

func (n *cnn) pool(in int) int {
	s, h, w := n.slide(in, false)
	return n.poolBy(in, s, h, w)
}

// poolBy keeps the quantisation of its input, as pools must.
func (n *cnn) poolBy(in int, s slide, h, w int32) int {
	kind := schema.BuiltinOperatorMAX_POOL_2D
	if n.chance(2) {
		kind = schema.BuiltinOperatorAVERAGE_POOL_2D
	}
	fused := n.fused()
	if n.quantised(in).zero > 60 {
		fused = schema.ActivationFunctionTypeNONE // which would leave little
	}
	return n.add(poolOperator(kind, s, fused), n.alike(in, 1, h, w, n.shape(in)[3]), in)
}

func (n *cnn) transposeConv(in int) int {
	shape := n.shape(in)
	s := slide{padding: schema.Padding(n.IntN(2)), kh: n.between(1, 5), kw: n.between(1, 4), strideH: n.between(1, 3), strideW: n.between(1, 2)}
	h, w, c := shape[1], shape[2], n.between(1, 4)
	if s.padding == schema.PaddingVALID {
		h, w = (h-1)*s.strideH+s.kh, (w-1)*s.strideW+s.kw
	} else {
		h, w = h*s.strideH-n.between(0, int(s.strideH)-1), w*s.strideW-n.between(0, int(s.strideW)-1)
	}
	weights := n.weights(in, schema.TensorTypeINT8, 0, int(s.kh*s.kw*shape[3]), c, s.kh, s.kw, shape[3])
	inputs := append([]int{n.int32s([]int32{4}, 1, h, w, c), weights[0], in}, weights[1:]...)
	return n.add(transposeConvOperator(s), n.tensor(n.kind(in), n.size[in], 1, h, w, c), inputs...)
}
