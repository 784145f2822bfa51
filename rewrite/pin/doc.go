// Package pin decides which offsets a memory plan fixes, so that TensorFlow Lite
// Micro needs less memory with the plan than without.
//
// The runtime places what a plan leaves open around what it fixes, and it always
// places kernel scratch itself. So every choice is tried on a copy of the runtime's
// planner (alloc's "tflm-greedy") before it is offered.
package pin
