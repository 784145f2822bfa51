// Package verify checks the memory plan embedded in a model against rules that TensorFlow Lite
// Micro relies on and does not check.
package verify
