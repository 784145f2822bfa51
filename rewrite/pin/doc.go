// Package pin decides which offsets a memory plan fixes, so that TensorFlow Lite Micro needs
// less memory with the plan than without.
//
// The runtime places open tensors around the fixed ones, and it always places kernel scratch
// itself. So every choice is tried on a copy of the runtime's planner (alloc's "tflm-greedy")
// before it is returned.
package pin
