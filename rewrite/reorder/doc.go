// Package reorder chooses the order of a model's operators that minimises the memory of
// TensorFlow Lite Micro without growing LiteRT's tensor arena.
package reorder
