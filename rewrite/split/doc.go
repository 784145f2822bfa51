// Package split tiles a run of operators: its output is split into row strips or tiles, each of
// which needs only a part of every tensor in between, so that none of those tensors is ever
// whole. The tiles are joined once, at the end. The outputs are bit-identical.
//
// The rows and columns of an image [1,height,width,channels] are its height and width; those of other
// tensors are tokens, heads or batches, so that transformers are tiled, too.
//
// Only standard operators are used, SLICE, STRIDED_SLICE, PAD and CONCATENATION besides those
// of the run, so the runtimes need no change. Overlapping neighbourhoods of tiles are either
// recomputed ([Recompute]; Lin et al., "MCUNetV2: Memory-Efficient Patch-based Inference for
// Tiny Deep Learning", 2021) or kept from one strip to the next ([Keep]; Zheng et al.,
// "StreamNet: Memory-Efficient Streaming Tiny Deep Learning Inference on the Microcontroller",
// 2023).
//
// Alternatively the output is split along its channels ([Stage.Channels]), together with the
// weights of the layers that compute them, so that a wide tensor between a convolution and the
// operator that reduces it is never whole.
//
// Package op describes what operators read of their inputs. This package decides which of them
// can be tiled with identical results, and creates the tiles. The caller chooses the runs and
// the granularity.
package split
