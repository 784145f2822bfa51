// Package models builds the networks of the papers' tables as TensorFlow Lite
// files, from their published architectures.
//
// Each network is a short description in Go, one file each, over layers that infer
// their shapes. The files are fp32 with the operators and options a converter
// writes, in the order in which the papers' authors planned them. What they do not
// have is trained weights: see [Weights].
//
// The networks are those of Pisarchyk and Lee, "Efficient Memory Management for
// Deep Neural Net Inference" (2020), tables 1 and 2. Where that paper leaves a
// variant open, the one whose naive total and lower bounds are the printed ones was
// taken; [Network.Source] says which.
package models
