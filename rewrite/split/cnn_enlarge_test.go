package split_test

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func (n *cnn) pad(in int) int {
	shape := append([]int32{}, n.shape(in)...)
	p := make([]int32, 8)
	for i := 2; i < 8; i++ {
		if n.chance(2) {
			p[i] = n.between(0, 3)
		}
		if i >= 6 {
			p[i] /= 3
		}
		shape[i/2] += p[i]
	}
	other := 10
	if n.chance(6) {
		p, shape, other = make([]int32, 8), n.shape(in), 2
	}
	out := n.alike(in, shape...)
	if n.kind(in) != schema.TensorTypeINT16 && n.chance(other) {
		out = n.tensor(n.kind(in), n.size[in], shape...) // the integers stay, their meaning changes
	}
	inputs := []int{in, n.int32s([]int32{4, 2}, p...)}
	if !n.chance(3) {
		return n.add(encode.Operator{Builtin: schema.BuiltinOperatorPAD}, out, inputs...)
	}
	value := n.constant(n.kind(in), n.size[in])
	n.sub.Tensors[value].Quantization = n.sub.Tensors[out].Quantization
	return n.add(encode.Operator{Builtin: schema.BuiltinOperatorPADV2}, out, append(inputs, value)...)
}

// depthToSpace gets channels enough first.
func (n *cnn) depthToSpace(in int) int {
	in = n.concat(in, in, in, in)
	s := n.shape(in)
	return n.add(depthToSpaceOperator(2), n.alike(in, 1, 2*s[1], 2*s[2], s[3]/4), in)
}

func (n *cnn) spaceToDepth(in int) int {
	s := n.shape(in)
	if s[1]%2+s[2]%2 > 0 {
		return n.same(in)
	}
	return n.add(spaceToDepthOperator(2), n.alike(in, 1, s[1]/2, s[2]/2, s[3]*4), in)
}

func (n *cnn) nearest(in int) int {
	s := n.shape(in)
	h, w := s[1]*n.between(1, 3), s[2]*n.between(1, 3)
	return n.add(nearestOperator(n.chance(2)), n.alike(in, 1, h, w, s[3]), in, n.int32s([]int32{2}, h, w))
}

func (n *cnn) bilinear(in int) int {
	s := n.shape(in)
	f, g := int32(1)<<n.IntN(3), int32(1)<<n.IntN(2)
	h, w := s[1]*f, s[2]*g
	way := n.IntN(3)
	if way == 2 {
		h, w = (s[1]-1)*f+1, (s[2]-1)*g+1
	}
	return n.add(bilinearOperator(way == 1, way == 2), n.alike(in, 1, h, w, s[3]), in, n.int32s([]int32{2}, h, w))
}
