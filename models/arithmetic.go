package models

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// combine adds an element-wise operator on two tensors. Dimensions are aligned from the last; a
// dimension that is 1 or missing is broadcast.
func (g *graph) combine(o encode.Operator, name string, x, y value) value {
	s, t := g.shape(x), g.shape(y)
	if len(s) < len(t) {
		s, t = t, s
	}
	shape := slices.Clone(s)
	for i, d := range t {
		at := &shape[len(s)-len(t)+i]
		switch {
		case *at == d || d == 1:
		case *at == 1:
			*at = d
		default:
			g.fail(name, "combines the shapes %v and %v", g.shape(x), g.shape(y))
		}
	}
	return g.apply(o, name, shape, x, y)
}

func (g *graph) mul(name string, x, y value) value { return g.combine(mulOperator(), name, x, y) }

func (g *graph) minus(name string, x, y value) value { return g.combine(subOperator(), name, x, y) }

// plus adds ADD of two tensors, one of which may be broadcast.
func (g *graph) plus(name string, x, y value, activation schema.ActivationFunctionType) value {
	return g.combine(addOperator(activation), name, x, y)
}

// squaredDifference adds SQUARED_DIFFERENCE of two tensors, one of which may be broadcast.
func (g *graph) squaredDifference(name string, x, y value) value {
	return g.combine(encode.Operator{Builtin: schema.BuiltinOperatorSQUARED_DIFFERENCE}, name, x, y)
}

// minimum adds MINIMUM of two tensors, one of which may be broadcast.
func (g *graph) minimum(name string, x, y value) value {
	return g.combine(minimumOperator(), name, x, y)
}

// each adds an element-wise operator without options.
func (g *graph) each(kind schema.BuiltinOperator, name string, x value) value {
	return g.apply(encode.Operator{Builtin: kind}, name, slices.Clone(g.shape(x)), x)
}

func (g *graph) tanh(name string, x value) value {
	return g.each(schema.BuiltinOperatorTANH, name, x)
}

func (g *graph) logistic(name string, x value) value {
	return g.each(schema.BuiltinOperatorLOGISTIC, name, x)
}

func (g *graph) gelu(name string, x value, approximate bool) value {
	return g.apply(geluOperator(approximate), name, slices.Clone(g.shape(x)), x)
}

// prelu adds PRELU with a learned slope per channel.
func (g *graph) prelu(name string, x value) value {
	s := g.shape(x)
	slopes := g.weight(name+"/alpha", s[len(s)-1], 1, 1, s[len(s)-1])
	return g.apply(encode.Operator{Builtin: schema.BuiltinOperatorPRELU}, name, slices.Clone(s), x, slopes)
}

// mean adds MEAN over the last dimension, which becomes 1.
func (g *graph) mean(name string, x value) value {
	s := slices.Clone(g.shape(x))
	last := len(s) - 1
	s[last] = 1
	axis := g.ints(name+"/axis", []int32{1}, int32(last))
	return g.apply(meanOperator(), name, s, x, axis)
}

// layerNorm adds the ten operators into which converters expand layer normalisation.
func (g *graph) layerNorm(name string, x value) value {
	s := g.shape(x)
	width := s[len(s)-1]
	gamma, beta := g.weight(name+"/gamma", width, width), g.weight(name+"/beta", width, width)
	mean := g.mean(name+"/mean", x)
	variance := g.mean(name+"/variance", g.squaredDifference(name+"/squares", x, mean))
	variance = g.plus(name+"/add", variance, g.floats(name+"/epsilon", []int32{}, 1e-5), schema.ActivationFunctionTypeNONE)
	scale := g.mul(name+"/scale", g.each(schema.BuiltinOperatorRSQRT, name+"/rsqrt", variance), gamma)
	shifted := g.minus(name+"/shift", beta, g.mul(name+"/mean_scaled", mean, scale))
	return g.plus(name, g.mul(name+"/scaled", x, scale), shifted, schema.ActivationFunctionTypeNONE)
}

// response adds LOCAL_RESPONSE_NORMALIZATION over five channels, with the constants of AlexNet.
func (g *graph) response(name string, x value) value {
	return g.apply(responseOperator(2, 2, 1e-4, 0.75), name, slices.Clone(g.shape(x)), x)
}

// transposeConv adds TRANSPOSE_CONV, which enlarges the image by the stride.
func (g *graph) transposeConv(name string, x value, channels int32, w window) value {
	b, height, width, in := g.image(name, x)
	fanIn := w.height * w.width * in
	shape := []int32{b, height * w.stride, width * w.stride, channels}
	size := g.ints(name+"/shape", []int32{4}, shape...)
	filter := g.weight(name+"/weights", fanIn, channels, w.height, w.width, in)
	bias := g.weight(name+"/bias", fanIn, channels)
	return g.apply(w.transposeConv(), name, shape, size, filter, x, bias)
}
