package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// mostGroups is the number of groups of a convolution that are separated at most.
const mostGroups = 64

// separateGroups computes the groups of a CONV_2D one by one.
var separateGroups = Rule{
	Name: "separate-groups", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D},
	Condition: "several groups, at most 64; constant weights, of whole bytes",
	Result:    "SPLIT, a CONV_2D for each group, and CONCATENATION",
	Reason:    "the groups share no channel",
	Exact:     unoptimised,
	match: func(s *site) *change {
		in, filter, bias, out := s.in(0), s.in(1), s.in(2), s.out()
		if !static(in, filter, out) || len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || !s.stored(filter) ||
			tflite.ElementBits(filter.Type) < 8 || bias != nil && (!s.stored(bias) || len(bias.Shape) != 1 || bias.Shape[0] != out.Shape[3]) {
			return nil
		}
		depth := filter.Shape[3]
		groups := in.Shape[3] / depth
		if groups < 2 || groups > mostGroups || in.Shape[3]%depth != 0 || out.Shape[3] != filter.Shape[0] || out.Shape[3]%groups != 0 {
			return nil
		}
		if q := quantisationOf(filter); len(q.scales) > 1 && (q.dimension != 0 || q.details) {
			return nil
		}
		channels := int(out.Shape[3] / groups)
		var parts []int
		c := s.change()
		for range groups {
			parts = append(parts, c.like(in, in.Shape[0], in.Shape[1], in.Shape[2], depth))
		}
		c.partwise(in.Index, 3, parts, out, func(i, part, result int) {
			inputs := slices.Clone(s.op.Inputs)
			inputs[0], inputs[1] = part, c.rows(filter, i*channels, (i+1)*channels)
			if bias != nil {
				inputs[2] = c.rows(bias, i*channels, (i+1)*channels)
			}
			c.again(inputs, result)
		})
		return c
	},
}

// rows adds a constant with the elements [from, to) of the first dimension of a constant of whole bytes. Its
// quantisation may differ along that dimension.
func (c *change) rows(t *tflite.Tensor, from, to int) int {
	data := c.site.m.Buffer(t).Data
	row := len(data) / int(t.Shape[0])
	shape := slices.Clone(t.Shape)
	shape[0] = int32(to - from)
	return c.tensor(edit.Tensor{
		Name: c.name(t), Like: t.Index, Shape: shape, Data: data[from*row : to*row], Channels: &edit.Range{From: from, To: to},
	})
}
