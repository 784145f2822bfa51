// Package tiles plans memory for tensors that are written and read tile by tile.
//
// A step writes or reads some bytes of a tensor. A byte is in use from its first write to its last
// read. Two tensors may overlap if no two of their bytes that coincide are in use at the same time.
// [Solve] computes the forbidden distances of each pair of tensors, and package alloc places them.
// [Check] follows the steps of a plan byte by byte and uses no lifetimes.
//
// The problem is from Kvochko et al. 2024, "Off-Chip Memory Allocation for Neural Processing Units".
// [Tile.Chunks] is their RenderChunks, [CollisionSize] their algorithm of this name, and the strategies
// tile-aware-* of [alloc.Strategies] are their TensorAllocate.
package tiles
