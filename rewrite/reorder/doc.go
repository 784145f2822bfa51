// Package reorder decides in which order the operators of a model are to run, so that
// its tensors need the least memory: in TensorFlow Lite Micro, and not more of it in
// LiteRT.
package reorder
