// Package alloc plans memory: it places each usage record and reports how close the plan is to the
// optimum.
//
// There are two approaches: one arena in which each record has an offset ([Offsets]), and a set of
// shared objects, each of which holds one record at a time ([Shared]). [Solve] runs one strategy by
// name and returns a [Plan] that the independent checker, package alloc/check, has passed. [Fit]
// decides whether records fit into an arena of a given size.
//
// The strategies are in packages by method, below alloc/internal. To add one, write a function there
// and add a line to the table in registry.go.
package alloc
