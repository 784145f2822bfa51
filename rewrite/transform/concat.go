package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// mostParts is the number of inputs that TensorFlow Lite Micro's CONCATENATION takes.
const mostParts = 10

// partwise adds a SPLIT of a tensor along an axis into parts, what compute adds for each part and its result, and
// CONCATENATION of the results into out.
func (c *change) partwise(from int, axis int, parts []int, out *tflite.Tensor, compute func(i, part, result int)) {
	c.operators = append(c.operators, edit.Operator{
		Kind: edit.New, Builtin: schema.BuiltinOperatorSPLIT, Inputs: []int{c.numbers("axis", nil, int64(axis)), from}, Outputs: parts,
		Options: []edit.Option{{Field: 0, Value: int64(len(parts))}},
	})
	shape := slices.Clone(out.Shape)
	shape[axis] /= int32(len(parts))
	var results []int
	for i, part := range parts {
		results = append(results, c.like(out, shape...))
		compute(i, part, results[i])
	}
	c.concatenate(results, axis, out)
}

// concatenate adds CONCATENATION of parts of equal size along an axis into out, of at most [mostParts] at a time.
func (c *change) concatenate(parts []int, axis int, out *tflite.Tensor) {
	along := edit.Option{Field: 0, Value: int64(axis)}
	length := out.Shape[axis] / int32(len(parts))
	lengths := make([]int32, len(parts))
	for i := range lengths {
		lengths[i] = length
	}
	for len(parts) > mostParts {
		var joined []int
		var sums []int32
		for at := 0; at < len(parts); at += mostParts {
			end := min(at+mostParts, len(parts))
			shape := slices.Clone(out.Shape)
			shape[axis] = 0
			for _, n := range lengths[at:end] {
				shape[axis] += n
			}
			part := c.like(out, shape...)
			c.add(schema.BuiltinOperatorCONCATENATION, parts[at:end], part, along)
			joined, sums = append(joined, part), append(sums, shape[axis])
		}
		parts, lengths = joined, sums
	}
	c.add(schema.BuiltinOperatorCONCATENATION, parts, out.Index, along)
}
