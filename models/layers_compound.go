package models

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// relu adds RELU as a separate operator, for tensors that other operators read before it.
func (g *graph) relu(name string, x value) value {
	o := encode.Operator{Builtin: schema.BuiltinOperatorRELU}
	return g.apply(o, name, slices.Clone(g.shape(x)), x)
}

// sum adds a chain of ADDs; only the last one has the activation. A single tensor is returned
// unchanged, without an activation.
func (g *graph) sum(name string, activation schema.ActivationFunctionType, xs ...value) value {
	total := xs[0]
	for i, x := range xs[1:] {
		if i == len(xs)-2 {
			return g.add(name, total, x, activation)
		}
		total = g.add(fmt.Sprintf("%s_%d", name, i), total, x, schema.ActivationFunctionTypeNONE)
	}
	return total
}

// join adds CONCATENATION of channels if there are several tensors.
func (g *graph) join(name string, xs ...value) value {
	if len(xs) == 1 {
		return xs[0]
	}
	return g.concat(name, 3, xs...)
}

// crop adds STRIDED_SLICE that drops the first row and the first column.
func (g *graph) crop(name string, x value) value {
	b, height, width, channels := g.image(name, x)
	begin := g.ints(name+"/begin", []int32{4}, 0, 1, 1, 0)
	end := g.ints(name+"/end", []int32{4}, b, height, width, channels)
	strides := g.ints(name+"/strides", []int32{4}, 1, 1, 1, 1)
	return g.apply(stridedSliceOperator(), name, []int32{b, height - 1, width - 1, channels}, x, begin, end, strides)
}

// dense adds FULLY_CONNECTED with the given number of outputs.
func (g *graph) dense(name string, x value, outputs int32) value {
	s := g.shape(x)
	if len(s) != 2 {
		g.fail(name, "needs a batch of vectors, not the shape %v", s)
		return x
	}
	return g.connect(name, x, outputs, schema.ActivationFunctionTypeNONE)
}

// classifier averages each channel over the whole image and adds a dense layer.
func (g *graph) classifier(name string, x value, classes int32) value {
	b, height, width, channels := g.image(name, x)
	x = g.averagePool(name+"/pool", x, valid(height, width))
	x = g.reshape(name+"/flatten", x, b, channels)
	return g.dense(name+"/logits", x, classes)
}
