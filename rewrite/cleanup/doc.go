// Package cleanup finds the operators of a model that compute nothing, because their output
// equals their input bit for bit, and makes the edit that leaves them out. Without them
// there is less to plan and to run.
package cleanup
