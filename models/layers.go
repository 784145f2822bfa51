package models

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// image returns the dimensions of x, which must be a batch of images (rank 4).
func (g *graph) image(name string, x value) (batch, height, width, channels int32) {
	s := g.shape(x)
	if len(s) != 4 {
		g.fail(name, "needs an image, not the shape %v", s)
		return 1, 1, 1, 1
	}
	return s[0], s[1], s[2], s[3]
}

// conv adds CONV_2D with the given number of output channels.
func (g *graph) conv(name string, x value, channels int32, w window) value {
	b, height, width, in := g.image(name, x)
	fanIn := w.height * w.width * in
	filter := g.weight(name+"/weights", fanIn, channels, w.height, w.width, in)
	bias := g.weight(name+"/bias", fanIn, channels)
	height, width = w.over(height, width)
	return g.apply(w.conv2D(), name, []int32{b, height, width, channels}, x, filter, bias)
}

// depthwise adds DEPTHWISE_CONV_2D, which keeps the channels.
func (g *graph) depthwise(name string, x value, w window) value {
	b, height, width, channels := g.image(name, x)
	fanIn := w.height * w.width
	filter := g.weight(name+"/depthwise_weights", fanIn, 1, w.height, w.width, channels)
	bias := g.weight(name+"/bias", fanIn, channels)
	height, width = w.over(height, width)
	return g.apply(w.depthwiseConv2D(), name, []int32{b, height, width, channels}, x, filter, bias)
}

func (g *graph) averagePool(name string, x value, w window) value {
	return g.pool(schema.BuiltinOperatorAVERAGE_POOL_2D, name, x, w)
}

func (g *graph) maxPool(name string, x value, w window) value {
	return g.pool(schema.BuiltinOperatorMAX_POOL_2D, name, x, w)
}

func (g *graph) pool(kind schema.BuiltinOperator, name string, x value, w window) value {
	b, height, width, channels := g.image(name, x)
	height, width = w.over(height, width)
	return g.apply(w.pool2D(kind), name, []int32{b, height, width, channels}, x)
}

// add adds ADD of two tensors of the same shape.
func (g *graph) add(name string, x, y value, activation schema.ActivationFunctionType) value {
	s := slices.Clone(g.shape(x))
	if !slices.Equal(s, g.shape(y)) {
		g.fail(name, "adds the shapes %v and %v", s, g.shape(y))
	}
	return g.apply(addOperator(activation), name, s, x, y)
}

// concat adds CONCATENATION of tensors that differ at most in the axis.
func (g *graph) concat(name string, axis int, xs ...value) value {
	s := slices.Clone(g.shape(xs[0]))
	if axis >= len(s) {
		g.fail(name, "joins %v along axis %d", s, axis)
		return xs[0]
	}
	for _, x := range xs[1:] {
		t := g.shape(x)
		if !equalBut(axis, s, t) {
			g.fail(name, "joins %v and %v along axis %d", s, t, axis)
			return xs[0]
		}
		s[axis] += t[axis]
	}
	y := g.apply(concatOperator(axis), name, s, xs...)
	g.sub.Tensors[y].Type = g.sub.Tensors[xs[0]].Type
	return y
}

// equalBut reports whether two shapes are equal in all dimensions except axis.
func equalBut(axis int, s, t []int32) bool {
	return len(s) == len(t) && slices.Equal(s[:axis], t[:axis]) && slices.Equal(s[axis+1:], t[axis+1:])
}

// pad adds PAD; each pair holds the padding before and after one dimension.
func (g *graph) pad(name string, x value, pairs ...[2]int32) value {
	s := slices.Clone(g.shape(x))
	if len(pairs) != len(s) {
		g.fail(name, "has %d paddings for the shape %v", len(pairs), s)
		return x
	}
	var flat []int32
	for i, p := range pairs {
		s[i] += p[0] + p[1]
		flat = append(flat, p[0], p[1])
	}
	paddings := g.ints(name+"/paddings", []int32{int32(len(pairs)), 2}, flat...)
	return g.apply(padOperator(), name, s, x, paddings)
}

// resize adds RESIZE_BILINEAR with aligned corners.
func (g *graph) resize(name string, x value, height, width int32) value {
	b, _, _, channels := g.image(name, x)
	size := g.ints(name+"/size", []int32{2}, height, width)
	return g.apply(resizeOperator(), name, []int32{b, height, width, channels}, x, size)
}

// reshape adds RESHAPE; one dimension may be -1 and is inferred.
func (g *graph) reshape(name string, x value, shape ...int32) value {
	s, left := slices.Clone(shape), elements(g.shape(x))
	if i := slices.Index(s, -1); i >= 0 {
		s[i] = 1
		s[i] = int32(left / max(elements(s), 1))
	}
	if elements(s) != left {
		g.fail(name, "makes %v of %v", shape, g.shape(x))
	}
	wanted := g.ints(name+"/shape", []int32{int32(len(shape))}, shape...)
	return g.apply(reshapeOperator(shape), name, s, x, wanted)
}

// squeeze adds SQUEEZE of height and width, which must be 1.
func (g *graph) squeeze(name string, x value) value {
	b, height, width, channels := g.image(name, x)
	if height != 1 || width != 1 {
		g.fail(name, "squeezes the shape %v", g.shape(x))
	}
	return g.apply(squeezeOperator(1, 2), name, []int32{b, channels}, x)
}

func (g *graph) softmax(name string, x value) value {
	return g.apply(softmaxOperator(), name, slices.Clone(g.shape(x)), x)
}

func elements(shape []int32) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}
