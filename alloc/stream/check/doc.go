// Package check decides whether a plan of package stream is right, independently of the code that
// made it: it shares the types with it, and no computation.
package check
