// Package merge makes bodies of tensors that share memory, so that a plan of them is one of
// all: which outputs take over an input's memory, and what that leaves free.
package merge
