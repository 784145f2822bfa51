// Package embedded reads the memory plan embedded in a model, follows it as TensorFlow Lite Micro does, and reports
// what is wrong with it; it also reports which tensors LiteRT computes incorrectly.
package embedded
