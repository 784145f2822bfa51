// Package cleanup finds the operators of a model that compute nothing, because their output is
// bit-identical to their input, and makes the edit that removes them. This reduces planning and
// run time.
package cleanup
