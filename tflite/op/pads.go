package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that pad a tensor.

// pad is PAD and PADV2: padding with zeros or a value.
var pad = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 { return n.padded(n.shape(0)) }),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r := n.readWhole(0)
		for i, p := range n.paddings(len(r)) {
			r[i] = shifted(i, r[i].In, -p[0], 1)
		}
		return []Region{r}
	}},
}

// mirrorPad repeats elements next to the edge, which may be any part of the input.
var mirrorPad = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 { return n.padded(n.shape(0)) }),
	reads: reader{Same, func(n node, _ int) []Region {
		r := n.readWhole(0)
		for i, p := range n.paddings(len(r)) {
			if p == [2]int64{} {
				r[i] = same(i, r[i].In)
			}
		}
		return []Region{r}
	}},
}

// stablePad puts a value around a tensor and between its elements.
var stablePad = facts{shapes: single(func(n node) []int64 {
	var o schema.StablehloPadOptions
	n.options2(schema.BuiltinOptions2StablehloPadOptions, &o)
	in := n.shape(0)
	low, high, inner := n.list(o.EdgePaddingLowLength(), o.EdgePaddingLow), n.list(o.EdgePaddingHighLength(), o.EdgePaddingHigh), n.list(o.InteriorPaddingLength(), o.InteriorPadding)
	if len(low) != len(in) || len(high) != len(in) || len(inner) != len(in) {
		n.fail("it pads %d dimensions, not %d", len(low), len(in))
	}
	for i := range in {
		in[i] += low[i] + high[i] + max(in[i]-1, 0)*inner[i]
	}
	return in
})}

// padded returns the padded shape.
func (n node) padded(in []int64) []int64 {
	for i, p := range n.paddings(len(in)) {
		if p[0] < 0 || p[1] < 0 {
			n.fail("its paddings are negative")
		}
		in[i] += p[0] + p[1]
	}
	return in
}

// paddings returns the padding before and after each dimension.
func (n node) paddings(rank int) [][2]int64 {
	pairs := pairsOf(n.ints(1))
	if len(pairs) != rank {
		n.fail("it has paddings for %d dimensions, not %d", len(pairs), rank)
	}
	for _, p := range pairs {
		n.smallNumber(p[0])
		n.smallNumber(p[1])
	}
	return pairs
}

// Paddings returns the padding of PAD, PADV2 and MIRROR_PAD before and after each dimension, in
// elements, unchecked: it may be negative. It returns false for other operators and for
// non-constant paddings.
func Paddings(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) ([][2]int64, bool) {
	switch m.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2, schema.BuiltinOperatorMIRROR_PAD:
	default:
		return nil, false
	}
	list, ok := Ints(m, s.Operand(o.Inputs, 1))
	pairs := pairsOf(list)
	return pairs, ok && pairs != nil
}

// pairsOf returns an even number of numbers in pairs, nil for an odd number.
func pairsOf(list []int64) [][2]int64 {
	if len(list)%2 != 0 {
		return nil
	}
	pairs := make([][2]int64, len(list)/2)
	for i := range pairs {
		pairs[i] = [2]int64{list[2*i], list[2*i+1]}
	}
	return pairs
}
