package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that join tensors or repeat one.

// concatenation joins its inputs along a dimension.
var concatenation = facts{
	shapes: single(func(n node) []int64 { return n.joinedShape(n.concatAxis) }),
	reads:  reader{Shifted, func(n node, _ int) []Region { return n.readJoined(n.concatAxis) }},
}

func (n node) concatAxis() int64 {
	axis, ok := JoinedAlong(n.op)
	if !ok {
		n.lack("it has no options")
	}
	return int64(axis)
}

// JoinedAlong returns the axis of CONCATENATION in its options, counted from the last dimension
// if negative. It returns false without options.
func JoinedAlong(o *tflite.Operator) (axis int, ok bool) {
	var options schema.ConcatenationOptions
	if !o.Options(schema.BuiltinOptionsConcatenationOptions, &options) {
		return 0, false
	}
	return int(options.Axis()), true
}

// stableConcatenate is StableHLO's concatenation.
var stableConcatenate = facts{
	shapes: single(func(n node) []int64 { return n.joinedShape(n.stableConcatAxis) }),
	reads:  reader{Shifted, func(n node, _ int) []Region { return n.readJoined(n.stableConcatAxis) }},
}

func (n node) stableConcatAxis() int64 {
	var o schema.StablehloConcatenateOptions
	n.options2(schema.BuiltinOptions2StablehloConcatenateOptions, &o)
	return n.smallNumber(o.Dimension())
}

// joinedShape returns the shape of all inputs joined along a dimension.
func (n node) joinedShape(dimension func() int64) []int64 {
	out := n.ranked(0, 1)
	axis := n.axis(dimension(), len(out))
	for position := 1; position < len(n.op.Inputs); position++ {
		in := n.shapeOf(position, len(out))
		n.equal(with(out, axis, in[axis]), in)
		out[axis] += in[axis]
	}
	return out
}

func (n node) readJoined(dimension func() int64) (list []Region) {
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

// pack joins its inputs along a new dimension.
var pack = facts{
	shapes: single(func(n node) []int64 {
		in := n.sharedShape(len(n.op.Inputs))
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

// tile repeats its input along each dimension.
var tile = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		in, times := n.shape(0), n.ints(1)
		if len(times) != len(in) {
			n.fail("it repeats %d dimensions, not %d", len(times), len(in))
		}
		for i := range in {
			in[i] *= n.smallNumber(times[i])
		}
		return in
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		r := n.readWhole(0)
		for i, times := range n.ints(1) {
			if i < len(r) && times == 1 {
				r[i] = same(i, r[i].In)
			}
		}
		return []Region{r}
	}},
}

// broadcastTo repeats dimensions of 1.
var broadcastTo = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		to := n.ints(1)
		return n.equal(to, n.spread(to, n.shape(0)))
	}),
	reads: reader{Same, func(n node, output int) []Region {
		list := n.inPlace(output)
		return append(list[:min(len(list), 1)], n.readWhole(1))
	}},
}

// broadcastArgs returns the broadcast shape of two shapes, its inputs.
var broadcastArgs = facts{shapes: single(func(n node) []int64 {
	return []int64{max(n.shapeOf(0, 1)[0], n.shapeOf(1, 1)[0])}
})}
