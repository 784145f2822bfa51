package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that put tensors, or copies of one, beside each other.

// concatenation puts its inputs behind each other along a dimension.
var concatenation = facts{
	shapes: alone(func(n node) []int64 { return n.behind(n.concatAxis) }),
	reads:  reader{Shifted, func(n node, _ int) []Region { return n.readBehind(n.concatAxis) }},
}

func (n node) concatAxis() int64 {
	axis, ok := JoinedAlong(n.op)
	if !ok {
		n.fail("it has no options")
	}
	return int64(axis)
}

// JoinedAlong returns the dimension along which CONCATENATION joins, as its options say it:
// from the last one on where it is negative. It is false where there are no options.
func JoinedAlong(o *tflite.Operator) (axis int, ok bool) {
	var options schema.ConcatenationOptions
	if !o.Options(schema.BuiltinOptionsConcatenationOptions, &options) {
		return 0, false
	}
	return int(options.Axis()), true
}

// stableConcatenate is the same in StableHLO.
var stableConcatenate = facts{
	shapes: alone(func(n node) []int64 { return n.behind(n.stableConcatAxis) }),
	reads:  reader{Shifted, func(n node, _ int) []Region { return n.readBehind(n.stableConcatAxis) }},
}

func (n node) stableConcatAxis() int64 {
	var o schema.StablehloConcatenateOptions
	n.options2(schema.BuiltinOptions2StablehloConcatenateOptions, &o)
	return n.small(o.Dimension())
}

// behind returns the shape of all inputs behind each other along a dimension.
func (n node) behind(dimension func() int64) []int64 {
	out := n.ranked(0, 1)
	axis := n.axis(dimension(), len(out))
	for position := 1; position < len(n.op.Inputs); position++ {
		in := n.shapeOf(position, len(out))
		n.equal(with(out, axis, in[axis]), in)
		out[axis] += in[axis]
	}
	return out
}

func (n node) readBehind(dimension func() int64) (list []Region) {
	axis, from := n.axis(dimension(), len(n.extents(0))), int64(0)
	for position := range n.op.Inputs {
		in := n.shape(position)
		if axis >= len(in) {
			n.fail("its inputs have other ranks")
		}
		list = append(list, n.part(position, axis, -from))
		from += in[axis]
	}
	return list
}

// pack makes a new dimension for its inputs.
var pack = facts{
	shapes: alone(func(n node) []int64 {
		in := n.alike(len(n.op.Inputs))
		return slices.Insert(in, n.packAxis(len(in)), int64(len(n.op.Inputs)))
	}),
	reads: reader{Same, func(n node, _ int) (list []Region) {
		for position := range n.op.Inputs {
			list = append(list, n.except(position, []int{n.packAxis(len(n.extents(position)))}))
		}
		return list
	}},
}

func (n node) packAxis(rank int) int {
	var o schema.PackOptions
	n.options(schema.BuiltinOptionsPackOptions, &o)
	return n.axis(int64(o.Axis()), rank+1)
}

// tile repeats its input so many times along each dimension.
var tile = facts{
	params: []int{1},
	shapes: alone(func(n node) []int64 {
		in, times := n.shape(0), n.ints(1)
		if len(times) != len(in) {
			n.fail("it repeats %d dimensions, not %d", len(times), len(in))
		}
		for i := range in {
			in[i] *= n.small(times[i])
		}
		return in
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		r := n.wholly(0)
		for i, times := range n.ints(1) {
			if i < len(r) && times == 1 {
				r[i] = same(i, r[i].In)
			}
		}
		return []Region{r}
	}},
}

// broadcastTo repeats what has a dimension of 1.
var broadcastTo = facts{
	params: []int{1},
	shapes: alone(func(n node) []int64 {
		to := n.ints(1)
		return n.equal(to, n.spread(to, n.shape(0)))
	}),
	reads: reader{Same, func(n node, output int) []Region {
		list := n.inPlace(output)
		return append(list[:min(len(list), 1)], n.wholly(1))
	}},
}

// broadcastArgs makes the shape that two shapes, its inputs, have together.
var broadcastArgs = facts{shapes: alone(func(n node) []int64 {
	return []int64{max(n.shapeOf(0, 1)[0], n.shapeOf(1, 1)[0])}
})}

// pad is PAD and PADV2: zeros, or a value, around a tensor.
var pad = facts{
	params: []int{1},
	shapes: alone(func(n node) []int64 { return n.padded(n.shape(0)) }),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r := n.wholly(0)
		for i, p := range n.paddings(len(r)) {
			r[i] = shifted(i, r[i].In, -p[0], 1)
		}
		return []Region{r}
	}},
}

// mirrorPad repeats what is beside the edge, which may be any part of the input.
var mirrorPad = facts{
	params: []int{1},
	shapes: alone(func(n node) []int64 { return n.padded(n.shape(0)) }),
	reads: reader{Same, func(n node, _ int) []Region {
		r := n.wholly(0)
		for i, p := range n.paddings(len(r)) {
			if p == [2]int64{} {
				r[i] = same(i, r[i].In)
			}
		}
		return []Region{r}
	}},
}

// stablePad puts a value around a tensor and between its elements.
var stablePad = facts{shapes: alone(func(n node) []int64 {
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

// padded returns a shape with what is put around it.
func (n node) padded(in []int64) []int64 {
	for i, p := range n.paddings(len(in)) {
		if p[0] < 0 || p[1] < 0 {
			n.fail("its paddings are negative")
		}
		in[i] += p[0] + p[1]
	}
	return in
}

// paddings returns what is put before and behind each of so many dimensions.
func (n node) paddings(rank int) [][2]int64 {
	pairs, ok := Paddings(n.model, n.sub, n.op)
	if !ok {
		n.fail("its input 1 is not a constant of integers")
	}
	if len(pairs) != rank {
		n.fail("it has paddings for %d dimensions, not %d", len(pairs), rank)
	}
	for _, p := range pairs {
		n.small(p[0])
		n.small(p[1])
	}
	return pairs
}

// Paddings returns how many elements PAD, PADV2 and MIRROR_PAD put before and behind each
// dimension of their input, as the file has it, which may be negative: false for other
// operators, and where they are no constants.
func Paddings(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) ([][2]int64, bool) {
	switch m.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2, schema.BuiltinOperatorMIRROR_PAD:
	default:
		return nil, false
	}
	list, ok := Ints(m, s.Operand(o.Inputs, 1))
	if !ok || len(list)%2 != 0 {
		return nil, false
	}
	pairs := make([][2]int64, len(list)/2)
	for i := range pairs {
		pairs[i] = [2]int64{list[2*i], list[2*i+1]}
	}
	return pairs, true
}
