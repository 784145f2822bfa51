// Package faults finds problems of operators on TensorFlow Lite Micro. It has two tables:
//
//   - for each kernel, a list of laws, some checked by Prepare and some by Eval ([Of]);
//   - known faults of the reference kernels, CMSIS-NN and ESP-NN, each with the condition under
//     which a kernel crashes, miscomputes or accesses memory outside its buffers ([Faults]).
//
// The kernels are those of tflite-micro 90b983c. A new kernel is one line of the first table.
package faults
