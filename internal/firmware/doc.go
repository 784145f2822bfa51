// Package firmware writes the C and C++ files with which firmware runs a model in TensorFlow Lite Micro: the model as
// an array, the resolver of its operators, a plan compiled into the program with the arena it requires, and the program
// that asks a kernel library for its scratch.
package firmware
