package split_test

import (
	"fmt"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A step adds operators to a network, behind a tensor; it is for tensors of some types
// and comes as often as its weight says.
type step struct {
	weight int
	kinds  []schema.TensorType
	add    func(n *cnn, in int) int
}

var (
	every   = []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16}
	narrow  = every[:2]
	floats  = every[:1]
	integer = every[1:]
)

func steps() []step {
	return []step{
		{7, every, (*cnn).conv},
		{5, every, (*cnn).depthwise},
		{4, every, (*cnn).pool},
		{3, every, (*cnn).pad},
		{4, every, (*cnn).activation},
		{1, every, (*cnn).softmax},
		{4, every, (*cnn).broadcast},
		{6, every, (*cnn).block},
		{2, every, (*cnn).spread},
		{1, every, (*cnn).gate},
		{2, every, (*cnn).nearest},
		{2, every, (*cnn).transposeConv},
		{2, narrow, (*cnn).bilinear},
		{2, narrow, (*cnn).depthToSpace},
		{2, narrow, (*cnn).spaceToDepth},
		{2, integer, func(n *cnn, in int) int { return n.requantize(in, n.kind(in)) }},
		{3, floats, (*cnn).function},
	}
}

// step adds a random operator. Pictures that have become large get no larger.
func (n *cnn) step(in int) int {
	if s := n.shape(in); count(s) > 1500 || s[1] > 40 || s[2] > 40 {
		return n.shrink(in)
	}
	total := 0
	list := n.steps
	for _, s := range list {
		if slices.Contains(s.kinds, n.kind(in)) {
			total += s.weight
		}
	}
	at := n.IntN(total)
	for _, s := range list {
		if !slices.Contains(s.kinds, n.kind(in)) {
			continue
		}
		if at -= s.weight; at < 0 {
			return s.add(n, in)
		}
	}
	return in
}

func (n *cnn) shrink(in int) int {
	s := slide{padding: schema.Padding(n.IntN(2)), kh: n.between(2, 3), kw: n.between(2, 3), strideH: 2, strideW: 2, dilateH: 1, dilateW: 1}
	h, w := s.fit(n.shape(in))
	if n.chance(3) {
		return n.poolBy(in, s, h, w)
	}
	return n.convBy(in, s, h, w, n.between(1, 4))
}

// beside is a branch of a block: it keeps the size of the feature map.
func (n *cnn) beside(in int) int {
	s := n.shape(in)
	for range n.between(1, 2) {
		switch n.IntN(5) {
		case 0, 1:
			in = n.convBy(in, n.still(), s[1], s[2], s[3])
		case 2:
			in = n.depthwiseBy(in, n.still(), s[1], s[2], 1)
		case 3:
			in = n.poolBy(in, n.still(), s[1], s[2])
		case 4:
			in = n.activation(in)
		}
	}
	return in
}

// block joins branches: a residual, or up to four side by side.
func (n *cnn) block(in int) int {
	a := n.beside(in)
	switch n.IntN(3) {
	case 0:
		return n.binary(in, a)
	case 1:
		return n.binary(a, n.beside(in))
	}
	list := []int{in, a}
	for len(list) < 4 && n.chance(2) {
		list = append(list, n.beside(in))
	}
	return n.concat(list...)
}

// spread joins a feature map with one of itself that has one row, column or channel.
func (n *cnn) spread(in int) int {
	s := n.shape(in)
	way := slide{padding: schema.PaddingVALID, kh: 1, kw: 1, strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}
	small := in
	switch n.IntN(3) {
	case 0:
		way.kh = s[1]
		small = n.poolBy(in, way, 1, s[2])
	case 1:
		way.kw = s[2]
		small = n.poolBy(in, way, s[1], 1)
	case 2:
		small = n.convBy(in, way, s[1], s[2], 1)
	}
	if n.chance(2) {
		return n.binary(in, small)
	}
	return n.binary(small, in)
}

// gate weighs channels by what is in the whole feature map: no stage can hold it.
func (n *cnn) gate(in int) int {
	s := n.shape(in)
	way := slide{padding: schema.PaddingVALID, kh: s[1], kw: s[2], strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}
	mean := n.poolBy(in, way, 1, 1)
	way.kh, way.kw = 1, 1
	weight := n.convBy(mean, way, 1, 1, s[3])
	weight = n.unary(schema.BuiltinOperatorLOGISTIC, n.range1(weight, false), weight)
	return n.add(binaryOperator(schema.BuiltinOperatorMUL, 0), n.tensor(n.kind(in), n.size[in]/2, s...), in, weight)
}

// function is one that there is for floats alone, or for hardly anything else.
func (n *cnn) function(in int) int {
	out := func(size float64) int { return n.tensor(n.kind(in), size, n.shape(in)...) }
	kinds := []schema.BuiltinOperator{
		schema.BuiltinOperatorABS, schema.BuiltinOperatorCEIL, schema.BuiltinOperatorCOS, schema.BuiltinOperatorELU,
		schema.BuiltinOperatorFLOOR, schema.BuiltinOperatorNEG, schema.BuiltinOperatorROUND, schema.BuiltinOperatorSIN,
		schema.BuiltinOperatorSQUARE, schema.BuiltinOperatorSQRT, schema.BuiltinOperatorRSQRT, schema.BuiltinOperatorLOG,
		schema.BuiltinOperatorEXP, schema.BuiltinOperatorDIV,
	}
	switch kind := kinds[n.IntN(len(kinds))]; kind {
	case schema.BuiltinOperatorSQRT, schema.BuiltinOperatorRSQRT, schema.BuiltinOperatorLOG:
		in = n.unary(schema.BuiltinOperatorEXP, n.range1(in, true), in)
		return n.unary(kind, out(1), in)
	case schema.BuiltinOperatorEXP:
		in = n.unary(schema.BuiltinOperatorTANH, n.range1(in, true), in)
		return n.unary(kind, out(1.5), in)
	case schema.BuiltinOperatorDIV:
		b := n.unary(schema.BuiltinOperatorLOGISTIC, n.range1(in, false), in)
		return n.add(binaryOperator(kind, n.fused()), out(2*n.size[in]), in, b)
	default:
		return n.unary(kind, out(n.size[in]), in)
	}
}

// randomCNN returns a network that works with a type, the same for a seed everywhere.
func randomCNN(seed uint64, kind schema.TensorType) (*tflite.Model, error) {
	return networkOfSteps(seed, kind, steps())
}

// networkOfSteps is randomCNN with some steps alone.
func networkOfSteps(seed uint64, kind schema.TensorType, list []step) (*tflite.Model, error) {
	n := &cnn{Rand: rand.New(rand.NewPCG(seed, uint64(kind))), read: map[int]bool{}, steps: list}
	n.sub = encode.Subgraph{Name: "main"}
	// The inputs are numbers between -1 and 1, and all integers of 8 bits.
	given := kind
	if kind == schema.TensorTypeINT16 || kind == schema.TensorTypeINT8 && n.chance(6) {
		given = narrow[n.IntN(2)]
	}
	at := n.tensor(given, 1, 1, n.between(5, 20), n.between(5, 20), n.between(1, 8))
	n.size[at] = 0.58
	n.sub.Inputs = []int{at}
	if given != kind {
		at = n.requantize(at, kind)
	}
	made := []int{at}
	for range n.between(2, 7) {
		// Seldom from further back: then there are two ways to the end.
		from := made[len(made)-1]
		if n.chance(12) {
			from = made[n.IntN(len(made))]
		}
		made = append(made, n.step(from))
	}
	if kind != schema.TensorTypeFLOAT32 && n.chance(6) {
		n.requantize(made[len(made)-1], schema.TensorTypeFLOAT32)
	}
	return n.model(fmt.Sprintf("network %d", seed))
}
