// Package firmware writes the C and C++ files with which firmware runs a model in TensorFlow Lite
// Micro: the model as an array, the resolver of its operators, a library that runs the model, for several
// build systems, a plan compiled into the program with the required arena, and a program that measures the
// scratch of a kernel library.
package firmware
