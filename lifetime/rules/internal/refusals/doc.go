// Package refusals says which models the reference kernels of TensorFlow Lite Micro refuse.
// One table has a list of laws for each kernel, some that Prepare checks and some that Eval
// checks. (Kernels of tflite-micro 90b983c.) A new kernel is one line of the table.
package refusals
