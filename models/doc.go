// Package models builds published neural networks as TensorFlow Lite files: those of the
// papers' tables, networks with irregular wiring, and those of other papers on memory.
//
// Each network is a short description in Go, in a file of its own, over layers that infer
// their shapes. The files are fp32 and have the operators and options that a converter
// writes. Each network is also there with integers of eight bits, under its name and the
// suffix [Int8]. What the files do not have is trained weights: see [Weights].
//
// The networks of the tables are those of Pisarchyk and Lee, "Efficient Memory Management
// for Deep Neural Net Inference" (2020), tables 1 and 2. Where that paper leaves a variant
// open, the one was taken whose naive total and lower bounds are the printed ones;
// [Network.Source] says which. Their operators are in the order in which the paper's
// authors planned them.
//
// The irregular networks come from architecture search and from random wiring. Their
// operators can run in many orders, which differ in memory; they stand in the order that a
// converter would write, cell by cell and node by node, as their authors describe them.
// Each operation has a ReLU of its own in front of it, unless the ReLU can be fused into
// the only operator that it follows.
//
// The networks of other papers are those of Kvochko and others, "Off-Chip Memory Allocation
// for Neural Processing Units" (2024); Li and others, "FlexNN" (2024); and Sekiyama and
// others, "Profile-guided memory optimization for deep neural networks" (2018). Where these
// leave a variant open, the one was taken whose memory is as printed, or else the best known
// one. The numbers of weights and of multiply-accumulates are the published ones.
package models
