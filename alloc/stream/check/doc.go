// Package check checks plans of package stream, independently of the planner: of package
// stream/network it uses only types.
package check
