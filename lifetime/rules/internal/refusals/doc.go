// Package refusals says what the reference kernels of TensorFlow Lite Micro refuse: for each
// kernel a list of laws, some of Prepare and some of Eval, in one table. (Kernels of
// tflite-micro 90b983c.) A new kernel is one line of the table.
package refusals
