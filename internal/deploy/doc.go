// Package deploy writes the files of C and C++ with which firmware runs a model in TensorFlow
// Lite Micro: the model itself as an array, and the resolver of its operators.
//
// The files of package alloc/export hold a plan of memory and need no model; these need one.
package deploy
