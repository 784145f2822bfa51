// Package verify judges the memory plan that a model carries, by laws that TensorFlow Lite
// Micro relies on and does not check.
package verify
