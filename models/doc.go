// Package models builds published neural networks as TensorFlow Lite files: the networks in the
// tables of Pisarchyk and Lee, networks with irregular wiring, and networks from other papers
// on memory.
//
// Each network is a short description in Go, in its own file, on top of layers that infer their
// shapes. The files are fp32, with the operators and options that a converter writes. Each
// network is also available in int8, under its name with the suffix [Int8]. The weights are not
// trained: see [Weights].
//
// The tables are tables 1 and 2 of Pisarchyk and Lee, "Efficient Memory Management for Deep
// Neural Net Inference" (2020). If the paper leaves a variant open, the variant here is the one
// whose naive total and lower bounds match the printed values; [Network.Source] names it. Their
// operators are in the order in which the paper's authors planned them.
//
// The irregular networks come from architecture search and random wiring. Their operators can
// run in many orders, which differ in memory. The files use the order that a converter would
// write, cell by cell and node by node, as the authors describe them. Each operation is
// preceded by its own ReLU, unless the ReLU can be fused into the only operator that it
// follows.
//
// The networks from other papers are measured in Kvochko and others, "Off-Chip Memory
// Allocation for Neural Processing Units" (2024); Li and others, "FlexNN" (2024); and Sekiyama
// and others, "Profile-guided memory optimization for deep neural networks" (2018). If these
// leave a variant open, the variant here is the one whose memory is as printed, or else the
// best known one. The numbers of weights and multiply-accumulates are the published ones.
package models
