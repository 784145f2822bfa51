// Package reorder decides in which order the operators of a model are to run, so that
// TensorFlow Lite Micro needs the least memory, and LiteRT's tensor arena does not grow.
package reorder
