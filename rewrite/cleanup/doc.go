// Package cleanup finds the operators of a model that compute nothing: what they make
// is what they read, bit for bit. Without them there is less to plan and to run.
package cleanup
