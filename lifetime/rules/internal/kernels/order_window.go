package kernels

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// Kernels that slide a window over images, [batch, height, width, channels]. They iterate over
// the output pixel by pixel and channel by channel, and read for each channel the whole window
// inside the image. (reference_ops::Conv, DepthwiseConv, AveragePool, MaxPool, L2Pool, and
// those of reference_integer_ops.)

// convolved is CONV_2D. The channels of a group read the same channels of the input.
func convolved(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	filter := k.sub.Operand(k.op.Inputs, 1)
	if !ok || filter == nil || len(filter.Shape) != 4 || filter.Shape[3] <= 0 {
		return diagonal.Nest{}, false
	}
	depth := int64(filter.Shape[3]) // per group
	groups := in.dim(3) / depth
	if groups == 0 || out.dim(3)%groups != 0 {
		return diagonal.Nest{}, false
	}
	each := out.dim(3) / groups
	return k.windowed(in, out,
		diagonal.Even(groups, each*out.width, depth*in.width),
		diagonal.Even(each, out.width, 0))
}

// convolvedByChannel is DEPTHWISE_CONV_2D: each input channel makes several output channels,
// one after another.
func convolvedByChannel(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok || out.dim(3)%in.dim(3) != 0 {
		return diagonal.Nest{}, false
	}
	each := out.dim(3) / in.dim(3)
	return k.windowed(in, out,
		diagonal.Even(in.dim(3), each*out.width, in.width),
		diagonal.Even(each, out.width, 0))
}

// pooledInOrder is a pool.
func pooledInOrder(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	return k.windowed(in, out, diagonal.Even(out.dim(3), out.width, in.width))
}

// windowed wraps the loops over the channels in loops over the batch, the rows and the columns.
func (k *Loops) windowed(in, out array, channels ...diagonal.Loop) (diagonal.Nest, bool) {
	w, ok := op.WindowOf(k.model, k.sub, k.op)
	if !ok {
		return diagonal.Nest{}, false
	}
	if k.valid {
		w.Padding = schema.PaddingVALID
	}
	loops := []diagonal.Loop{diagonal.Even(out.dim(0), out.stride(0), in.stride(0))}
	for i := range 2 {
		l, ok := k.slid(w, i, in, out)
		if !ok {
			return diagonal.Nest{}, false
		}
		loops = append(loops, l)
	}
	return diagonal.Nest{Loops: append(loops, channels...), Unit: out.width}, true
}

// slid is the loop along the height (0) or the width (1). The lowest element read is the first
// one of the window inside the image: with a dilation, it may be past the edge.
func (k *Loops) slid(w op.Window, axis int, in, out array) (diagonal.Loop, bool) {
	a, n, ok := w.Along(axis, in.dim(axis+1))
	if !ok || n != out.dim(axis+1) {
		return nil, false
	}
	return k.listed(n, func(i int64) diagonal.Round {
		first, tap := i*a.Stride-a.Before, int64(0)
		if first < 0 {
			tap = (-first + w.Dilation[axis] - 1) / w.Dilation[axis]
		}
		first += tap * w.Dilation[axis]
		return diagonal.Round{
			Writes: i * out.stride(axis+1), Reads: first * in.stride(axis+1),
			ReadsNone: tap >= w.Kernel[axis] || first >= a.In,
		}
	})
}

// scattered is TRANSPOSE_CONV. Integer kernels accumulate in scratch and write the output after
// all reads; the float kernel clears the output first. (reference_integer_ops::TransposeConv.)
func scattered(k *Loops, input, output int) (diagonal.Nest, bool) {
	const data = 2
	in, _, ok := k.like(input, output)
	return diagonal.Nest{}, ok && input == data && (in.kind == schema.TensorTypeINT8 || in.kind == schema.TensorTypeINT16)
}

// inBlocks is a CONV_2D whose 1x1 filters with stride 1 process size pixels at a time. others
// is the order for all other filters.
func inBlocks(size int64, others orderFunc) orderFunc {
	return func(k *Loops, input, output int) (diagonal.Nest, bool) {
		in, out, ok := k.pictures(input, output)
		w, known := op.WindowOf(k.model, k.sub, k.op)
		if one := [2]int64{1, 1}; ok && known && w.Kernel == one && w.Stride == one && w.Dilation == one {
			return k.blocks(size, in, out)
		}
		return others(k, input, output)
	}
}

// blocks is a kernel with a 1x1 filter that reads size pixels until it has written all of their
// channels. All pixels of all images form one row.
func (k *Loops) blocks(size int64, in, out array) (diagonal.Nest, bool) {
	filter := k.sub.Operand(k.op.Inputs, 1)
	pixels := out.stride(-1) / out.stride(2)
	if filter == nil || len(filter.Shape) != 4 || int64(filter.Shape[3]) != in.dim(3) || in.stride(-1)/in.stride(2) != pixels {
		return diagonal.Nest{}, false
	}
	size = min(size, pixels)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even((pixels+size-1)/size, size*out.stride(2), size*in.stride(2)),
		diagonal.Even(2, 0, 0), // the first writes, and the reads until the last write
	}, Unit: size * out.stride(2)}, true
}
