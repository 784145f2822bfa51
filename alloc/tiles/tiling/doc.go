// Package tiling cuts the operators of a model into steps that fit on chip, and plans the memory off
// chip for them.
//
// A processor with a small memory of its own computes an operator tile by tile: a step loads the parts
// of the inputs that one tile of the output needs, and stores the tile. [New] derives tiles, in
// row-major order, from the regions of package op. Operators that are computed stripe by stripe form a
// cascade, which keeps the tensors between them on chip; [New] builds cascades that lower the peak of
// bytes in use off chip. [Solve] plans the resulting [Schedule] with package alloc/tiles.
//
// The idea is from Kvochko et al. 2024, "Off-Chip Memory Allocation for Neural Processing Units", who
// publish neither their tiles nor the size of their chip. Cascades come from Vela, the compiler for
// Ethos-U.
package tiling
