// Package split computes a run of operators piece by piece: its output is cut into row
// strips or tiles, each of which needs only a part of every tensor in between, so that
// none of those is ever whole. The pieces are joined once, at the end. The outputs are
// the same, bit by bit.
//
// Only standard operators are used, SLICE, STRIDED_SLICE, PAD and CONCATENATION beside those
// of the run, so that the runtimes need no change. What the pieces' neighbourhoods share
// is either computed again ([Recompute]; Lin et al., "MCUNetV2: Memory-Efficient
// Patch-based Inference for Tiny Deep Learning", 2021) or kept from one strip to the next
// ([Keep]; Zheng et al., "StreamNet: Memory-Efficient Streaming Tiny Deep Learning
// Inference on the Microcontroller", 2023).
//
// Or the output is cut along its channels ([Stage.Channels]), and the weights of the layers
// that make them along with it, so that a wide tensor between a convolution and what makes
// it smaller is never whole.
//
// What operators read of their inputs, package op tells. Here is which of them can be cut so that
// kernels compute the same, and how the pieces are made. Which runs to cut, and how finely,
// somebody else decides.
package split
