// Package faults says what goes wrong when TensorFlow Lite Micro runs an operator. Two tables say it:
//
//   - for each kernel, a list of laws, some that Prepare checks and some that Eval checks ([Of]);
//   - known faults of the reference kernels, CMSIS-NN and ESP-NN, each with the condition under which a
//     kernel crashes, computes something else or leaves its buffers ([Faults]).
//
// The kernels are those of tflite-micro 90b983c. A new kernel is one line of the first table.
package faults
