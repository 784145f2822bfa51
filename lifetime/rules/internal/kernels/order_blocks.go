package kernels

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// Kernels that move single elements.

// toDepth is SPACE_TO_DEPTH, which iterates over its input in order.
// (reference_ops::SpaceToDepth.)
func toDepth(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	block, known := op.BlockSize(k.model, k.op)
	if !ok || !known {
		return diagonal.Nest{}, false
	}
	channels := in.stride(2)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(in.dim(0), out.stride(0), in.stride(0)),
		diagonal.Even(out.dim(1), out.stride(1), block*in.stride(1)),
		diagonal.Even(block, block*channels, in.stride(1)),
		diagonal.Even(out.dim(2), out.stride(2), block*channels),
		diagonal.Even(block, channels, channels),
		diagonal.Even(in.dim(3), in.width, in.width),
	}, Unit: out.width}, true
}

// toSpace is DEPTH_TO_SPACE, which iterates over its output in order.
// (reference_ops::DepthToSpace.)
func toSpace(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	block, known := op.BlockSize(k.model, k.op)
	if !ok || !known {
		return diagonal.Nest{}, false
	}
	channels := out.stride(2)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(in.dim(0), out.stride(0), in.stride(0)),
		diagonal.Even(in.dim(1), block*out.stride(1), in.stride(1)),
		diagonal.Even(block, out.stride(1), block*channels),
		diagonal.Even(in.dim(2), block*channels, in.stride(2)),
		diagonal.Even(block, channels, channels),
		diagonal.Even(out.dim(3), out.width, out.width),
	}, Unit: out.width}, true
}

// mirroredInOrder is MIRROR_PAD, which iterates over its output in order. (TensorFlow Lite Micro,
// MirrorPad.)
func mirroredInOrder(k *Loops, input, output int) (diagonal.Nest, bool) {
	var o schema.MirrorPadOptions
	in, out, ok := k.like(input, output)
	pads, known := op.Paddings(k.model, k.sub, k.op)
	if !ok || !known || len(pads) != len(in.shape) || !k.op.Options(schema.BuiltinOptionsMirrorPadOptions, &o) {
		return diagonal.Nest{}, false
	}
	edge := int64(0) // number of elements at the edge that are not repeated
	if o.Mode() == schema.MirrorPadModeREFLECT {
		edge = 1
	}
	nest := diagonal.Nest{Unit: out.width}
	for axis, n := range in.shape {
		if before, behind := pads[axis][0], pads[axis][1]; before > n-edge || behind > n-edge {
			return diagonal.Nest{}, false
		}
		l, ok := k.listed(out.dim(axis), func(i int64) diagonal.Round {
			at := i - pads[axis][0]
			if at < 0 {
				at = -at - 1 + edge
			}
			if at >= n {
				at = 2*n - 1 - edge - at
			}
			return diagonal.Round{Writes: i * out.stride(axis), Reads: at * in.stride(axis)}
		})
		if !ok {
			return diagonal.Nest{}, false
		}
		nest.Loops = append(nest.Loops, l)
	}
	return nest, true
}

// interpolated is RESIZE_BILINEAR, which reads two rows and two columns for each element. With
// half-pixel centers, package op leaves a margin for rounding, except for an enlargement by a
// power of two. (reference_ops::ResizeBilinear.)
func interpolated(k *Loops, input, output int) (diagonal.Nest, bool) {
	nest, ok := inOrder(k, input, output)
	how, known := op.ResizeOf(k.model, k.op)
	if !ok || !known || !how.HalfPixelCenters {
		return nest, ok
	}
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	for i := range 2 {
		axis := i + 1
		a, exact := how.Along(i, in.dim(axis), out.dim(axis))
		if !exact {
			continue
		}
		if nest.Loops[axis], ok = k.listed(out.dim(axis), func(o int64) diagonal.Round {
			first := max(2*o+1-a.Scale, 0) / (2 * a.Scale)
			return diagonal.Round{Writes: o * out.stride(axis), Reads: first * in.stride(axis)}
		}); !ok {
			return diagonal.Nest{}, false
		}
	}
	return nest, true
}
