// Package tiles plans memory for tensors that are written and read tile by tile.
//
// A step writes or reads some bytes of a tensor. A byte is in use from the step that writes
// it first to the step that reads it last, and two tensors that are in use together may lie
// over each other as long as no two of their bytes in use at the same time coincide. [Solve]
// says for each two tensors which distances that forbids and lets package alloc do the rest.
// [Check] follows the steps of a plan byte by byte, and knows nothing of lives.
//
// The problem is that of Kvochko et al. 2024, "Off-Chip Memory Allocation for Neural
// Processing Units". [Tile.Chunks] is their algorithm RenderChunks, [CollisionSize] has its
// printed name, and their TensorAllocate is a family of strategies, tile-aware-by-size and
// those next to it in [alloc.Strategies].
package tiles
