// Package verify judges the memory plan that a model carries: the laws that TensorFlow Lite
// Micro does not check, and what it makes of a plan that breaks one.
package verify
