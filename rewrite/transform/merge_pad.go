package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// mergePad pads fewer dimensions, by RESHAPE before and after.
var mergePad = Rule{
	Name: "merge-pad", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2},
	Condition: "constant paddings, and dimensions without padding after others",
	Result:    "the same operator with fewer dimensions between RESHAPE",
	Reason:    "dimensions without padding are rows of the one before them, which is padded by whole rows",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		pads, ok := s.paddings(in, out)
		if !ok {
			return nil
		}
		none := func(i int) bool { return pads[i] == [2]int64{} }
		list := runs(len(pads), func(i int) bool { return in.Shape[i] == 1 && none(i) }, func(_, b int) bool { return none(b) })
		if len(list) == len(pads) {
			return nil
		}
		var amounts []int64
		for _, r := range list {
			amount := [2]int64{}
			if at := slices.IndexFunc(pads[r.from:r.to], func(p [2]int64) bool { return p != [2]int64{} }); at >= 0 {
				row := elements(in.Shape[r.from+at+1 : r.to])
				amount = [2]int64{pads[r.from+at][0] * row, pads[r.from+at][1] * row}
			}
			amounts = append(amounts, amount[0], amount[1])
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[0] = c.shaped(in, merged(in.Shape, list)...)
		inputs[1] = c.numbers("paddings", []int32{int32(len(list)), 2}, amounts...)
		c.into(out, merged(out.Shape, list), func(y int) { c.again(inputs, y) })
		return c
	},
}

// padTwice pads the first two of five dimensions, and then the others.
var padTwice = Rule{
	Name: "pad-twice", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2},
	Condition: "constant paddings of 5 dimensions",
	Result:    "the same operator for the first two dimensions and for the others, each with fewer dimensions between RESHAPE",
	Reason:    "both fill with the same number",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		pads, ok := s.paddings(in, out)
		if !ok || len(pads) != 5 || !sameQuantisation(in, out) {
			return nil
		}
		var flat []int64
		for _, p := range pads {
			flat = append(flat, p[0], p[1])
		}
		rest := int32(elements(in.Shape[2:]))
		planes := out.Shape[0] * out.Shape[1]
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[0] = c.shaped(in, in.Shape[0], in.Shape[1], rest)
		inputs[1] = c.numbers("paddings", []int32{3, 2}, flat[0], flat[1], flat[2], flat[3], 0, 0)
		first := c.like(in, out.Shape[0], out.Shape[1], rest)
		c.again(slices.Clone(inputs), first)
		inputs[0] = c.reshape(first, in, append([]int32{planes}, in.Shape[2:]...)...)
		inputs[1] = c.numbers("paddings", []int32{4, 2}, append([]int64{0, 0}, flat[4:]...)...)
		c.into(out, append([]int32{planes}, out.Shape[2:]...), func(y int) { c.again(inputs, y) })
		return c
	},
}

// paddings returns the constant paddings of PAD or PADV2, at each end of each dimension, if none is negative.
func (s *site) paddings(in, out *tflite.Tensor) (pads [][2]int64, ok bool) {
	pads, ok = op.Paddings(s.m, s.sub, s.op)
	if !ok || !static(in, out) || len(pads) != len(in.Shape) || len(pads) != len(out.Shape) {
		return nil, false
	}
	for i, p := range pads {
		if p[0] < 0 || p[1] < 0 || int64(in.Shape[i])+p[0]+p[1] != int64(out.Shape[i]) {
			return nil, false
		}
	}
	return pads, true
}
