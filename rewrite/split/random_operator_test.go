package split_test

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// A slide is a window's way, whose output has at least one row and column.
type slide struct {
	padding                            schema.Padding
	kh, kw                             int32
	strideH, strideW, dilateH, dilateW int32
}

// fit returns the size of the output, and takes VALID away where the kernel does not fit.
func (s *slide) fit(shape []int32) (h, w int32) {
	if s.padding == schema.PaddingVALID && ((s.kh-1)*s.dilateH+1 > shape[1] || (s.kw-1)*s.dilateW+1 > shape[2]) {
		s.padding = schema.PaddingSAME
	}
	if s.padding == schema.PaddingSAME {
		return (shape[1] + s.strideH - 1) / s.strideH, (shape[2] + s.strideW - 1) / s.strideW
	}
	return (shape[1]-(s.kh-1)*s.dilateH-1)/s.strideH + 1, (shape[2]-(s.kw-1)*s.dilateW-1)/s.strideW + 1
}

func (n *network) slide(in int, dilation bool) (s slide, h, w int32) {
	s = slide{
		padding: schema.Padding(n.pick("padding", 0, 1)),
		strideH: int32(n.pick("stride", 1, 3)), strideW: int32(n.pick("stride", 1, 2)), dilateH: 1, dilateW: 1,
	}
	s.kh, s.kw = int32(n.pick("kernel", 1, 5)), int32(n.pick("kernel", 1, 4))
	if dilation && s.strideH == 1 && s.strideW == 1 {
		s.dilateH, s.dilateW = int32(n.pick("dilation", 1, 2)), int32(n.pick("dilation", 1, 2))
	}
	h, w = s.fit(n.shape(in))
	return s, h, w
}

func (n *network) conv(in int) int {
	s, h, w := n.slide(in, true)
	c, channels := n.shape(in)[3], int32(n.pick("channels", 1, 3))
	filter := n.constant(channels, s.kh, s.kw, c)
	return n.add(convOperator(s, schema.ActivationFunctionTypeRELU), n.tensor(1, h, w, channels), in, filter, n.bias(channels))
}

func (n *network) depthwise(in int) int {
	s, h, w := n.slide(in, true)
	c := n.shape(in)[3]
	if c == 1 {
		c = int32(n.pick("multiplier", 1, 2))
	}
	filter := n.constant(1, s.kh, s.kw, c)
	if n.kind == schema.TensorTypeINT8 { // only filters with scales get zeros
		n.sub.Tensors[filter].Quantization = encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{0}}
	}
	return n.add(depthwiseOperator(s, c/n.shape(in)[3], schema.ActivationFunctionTypeNONE), n.tensor(1, h, w, c), in, filter, n.bias(c))
}

// bias adds a value for each channel.
func (n *network) bias(channels int32) int {
	if n.kind == schema.TensorTypeFLOAT32 {
		return n.constant(channels)
	}
	list := make([]int32, channels)
	for i := range list {
		list[i] = int32(i)*31 - 20
	}
	return n.int32s([]int32{channels}, list...)
}

// pool keeps the quantisation of its input, as pools must.
func (n *network) pool(in int) int {
	s, h, w := n.slide(in, false)
	kind := schema.BuiltinOperatorMAX_POOL_2D
	if n.pick("average", 0, 1) == 1 {
		kind = schema.BuiltinOperatorAVERAGE_POOL_2D
	}
	out := n.alike(in, 1, h, w, n.shape(in)[3])
	return n.add(poolOperator(kind, s, schema.ActivationFunctionTypeNONE), out, in)
}

// alike adds a tensor quantised like another one.
func (n *network) alike(in int, shape ...int32) int {
	out := n.tensor(shape...)
	n.zeros[out] = n.zeros[in]
	return out
}

func (n *network) pad(in int) int {
	shape := append([]int32{}, n.shape(in)...)
	p := make([]int32, 8)
	for i := 2; i < 8; i++ {
		p[i] = int32(n.pick("pad", 0, 3))
		if i >= 6 {
			p[i] /= 3
		}
		shape[i/2] += p[i]
	}
	if n.pick("nothing", 0, 4) == 0 {
		p, shape = make([]int32, 8), n.shape(in)
	}
	return n.add(encode.Operator{Builtin: schema.BuiltinOperatorPAD}, n.alike(in, shape...), in, n.int32s([]int32{4, 2}, p...))
}

// broadcast adds an operator with a constant of fewer rows, columns or channels.
func (n *network) broadcast(in int) int {
	shape := n.shape(in)
	var constant int
	switch n.pick("constant", 0, 5) {
	case 0:
		constant = n.constant(shape[3])
	case 1:
		constant = n.constant(1, 1, 1, shape[3])
	case 2:
		constant = n.constant(1, shape[1], 1, shape[3])
	case 3:
		constant = n.constant(1, 1, shape[2], 1)
	case 4:
		constant = n.constant()
	case 5:
		constant = n.constant(shape...)
	}
	if n.pick("swap", 0, 1) == 1 {
		return n.binary(constant, in)
	}
	return n.binary(in, constant)
}

func (n *network) binary(a, b int) int {
	kinds := []schema.BuiltinOperator{schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorSUB}
	shape := n.shape(a)
	if len(n.shape(b)) == 4 && (len(shape) < 4 || n.sub.Tensors[a].Buffer > 0) {
		shape = n.shape(b)
	}
	return n.add(encode.Operator{Builtin: kinds[n.pick("binary", 0, 2)]}, n.tensor(shape...), a, b)
}

// concat joins channels, of tensors quantised alike.
func (n *network) concat(list ...int) int {
	shape := append([]int32{}, n.shape(list[0])...)
	shape[3] = 0
	for i, in := range list {
		if n.zeros[in] != n.zeros[list[0]] {
			list[i] = n.add(encode.Operator{Builtin: schema.BuiltinOperatorQUANTIZE}, n.alike(list[0], n.shape(in)...), in)
		}
		shape[3] += n.shape(in)[3]
	}
	return n.add(concatOperator(), n.alike(list[0], shape...), list...)
}

// residual adds a block around which its input is led.
func (n *network) residual(in int) int {
	at := in
	for range n.pick("depth", 1, 2) {
		s := n.shape(at)
		filter := n.constant(s[3], 3, 3, s[3])
		at = n.add(convOperator(slide{strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}, schema.ActivationFunctionTypeNONE), n.tensor(s...), at, filter, n.bias(s[3]))
	}
	if n.pick("joint", 0, 1) == 0 {
		return n.binary(in, at)
	}
	return n.concat(in, at)
}
