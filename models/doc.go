// Package models builds networks as TensorFlow Lite files, from their published
// architectures: those of the papers' tables, and irregular ones.
//
// Each network is a short description in Go, one file each, over layers that infer
// their shapes. The files are fp32 with the operators and options a converter
// writes. What they do not have is trained weights: see [Weights].
//
// The networks of the tables are those of Pisarchyk and Lee, "Efficient Memory
// Management for Deep Neural Net Inference" (2020), tables 1 and 2. Where that
// paper leaves a variant open, the one whose naive total and lower bounds are the
// printed ones was taken; [Network.Source] says which. Their operators are in the
// order in which the paper's authors planned them.
//
// The irregular networks come from architecture search and from random wiring. They
// have many orders of operators that differ in memory, and stand in the one that a
// converter would write: cell by cell and node by node, as their authors describe
// them. Each operation has the ReLU before it to itself, unless that can be fused into
// the only operator it follows.
package models
