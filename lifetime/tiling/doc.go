// Package tiling cuts a model's operators into steps that fit on chip, and says which bytes each
// step reads and writes off chip.
//
// A processor with a small memory of its own computes an operator tile by tile: a step loads the
// parts of the inputs that one tile of the output needs, and stores the tile. [New] derives the
// tiles from what package op tells about each operator. Tiles are in row-major order. Where
// several operators in a row are computed stripe by stripe, as a cascade, what is between them
// stays on chip; [New] joins operators where fewer bytes are then in use off chip at the peak.
//
// The result, a [Schedule], has the tensors off chip with their accesses, which package
// alloc/tiles plans. The idea is that of Kvochko et al. 2024, "Off-Chip Memory Allocation for
// Neural Processing Units", who publish neither their tiles nor the size of their chip; cascades
// are what Vela, the compiler for Ethos-U, calls so.
package tiling
