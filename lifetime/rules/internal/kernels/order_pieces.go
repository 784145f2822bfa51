package kernels

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// Kernels that join or split tensors piece by piece: a piece is contiguous in both tensors.

// concatenated is CONCATENATION: for each index of the dimensions before the joined one, a
// piece of each input. Each is copied with memcpy, so it must not overlap itself.
// (reference_ops::Concatenation.)
func concatenated(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.like(input, output)
	axis, known := op.JoinedAlong(k.op)
	if axis < 0 {
		axis += len(out.shape)
	}
	if !ok || !known || axis >= len(out.shape) {
		return diagonal.Nest{}, false
	}
	whole, end := out.stride(axis-1), int64(0)
	var pieces diagonal.Loop
	for i := range k.op.Inputs {
		a, ok := k.array(k.op.Inputs, i)
		if !ok {
			return diagonal.Nest{}, false
		}
		end += a.stride(axis - 1)
		pieces = append(pieces, diagonal.Round{Writes: end, ReadsNone: i != input})
	}
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(out.stride(-1)/whole, whole, in.stride(axis-1)), pieces,
	}, Pieces: in.stride(axis-1) > in.width}, true
}

// packedInOrder is PACK: one input after another. (TensorFlow Lite Micro, PackImpl.)
func packedInOrder(k *Loops, input, output int) (diagonal.Nest, bool) {
	var o schema.PackOptions
	in, out, ok := k.like(input, output)
	if !ok || !k.op.Options(schema.BuiltinOptionsPackOptions, &o) {
		return diagonal.Nest{}, false
	}
	axis := int(o.Axis())
	if axis < 0 {
		axis += len(out.shape)
	}
	piece, count := out.stride(axis), int64(len(k.op.Inputs))
	inputs, ok := k.listed(count, func(i int64) diagonal.Round {
		return diagonal.Round{Writes: i * piece, ReadsNone: int(i) != input}
	})
	return diagonal.Nest{Loops: []diagonal.Loop{
		inputs, diagonal.Even(in.stride(-1)/piece, count*piece, piece), diagonal.Even(piece/in.width, in.width, in.width),
	}, Unit: in.width}, ok
}

// unpacked is UNPACK: one output after another. (TensorFlow Lite Micro, UnpackImpl.)
func unpacked(k *Loops, input, output int) (diagonal.Nest, bool) {
	var o schema.UnpackOptions
	in, out, ok := k.like(input, output)
	if !ok || !k.op.Options(schema.BuiltinOptionsUnpackOptions, &o) {
		return diagonal.Nest{}, false
	}
	axis := int(o.Axis())
	if axis < 0 {
		axis += len(in.shape)
	}
	piece, count := in.stride(axis), int64(len(k.op.Outputs))
	outputs, ok := k.listed(count, func(i int64) diagonal.Round {
		return diagonal.Round{Reads: i * piece, WritesNone: int(i) != output}
	})
	return diagonal.Nest{Loops: []diagonal.Loop{
		outputs, diagonal.Even(out.stride(-1)/piece, piece, count*piece), diagonal.Even(piece/in.width, in.width, in.width),
	}, Unit: in.width}, ok
}

// taken is SPLIT and SPLIT_V; data is the data input. For each index of the dimensions before
// the split one, it copies a piece to each output. (TensorFlow Lite Micro, SplitImpl.)
func taken(data int) func(k *Loops, input, output int) (diagonal.Nest, bool) {
	return func(k *Loops, input, output int) (diagonal.Nest, bool) {
		in, out, ok := k.like(input, output)
		axis := 0
		for axis < len(in.shape) && ok && in.dim(axis) == out.dim(axis) {
			axis++ // up to the split dimension, or, with one output, beyond it
		}
		if !ok || input != data || axis == len(in.shape) {
			return diagonal.Nest{}, false
		}
		whole, from := in.stride(axis-1), int64(0)
		var pieces diagonal.Loop
		for i := range k.op.Outputs {
			a, ok := k.array(k.op.Outputs, i)
			if !ok {
				return diagonal.Nest{}, false
			}
			pieces = append(pieces, diagonal.Round{Reads: from, WritesNone: i != output})
			from += a.stride(axis - 1)
		}
		piece := out.stride(axis - 1)
		return diagonal.Nest{Loops: []diagonal.Loop{
			diagonal.Even(in.stride(-1)/whole, piece, whole), pieces, diagonal.Even(piece/in.width, in.width, in.width),
		}, Unit: in.width}, true
	}
}
