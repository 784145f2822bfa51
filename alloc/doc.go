// Package alloc places tensors in memory: strategies over usage records, for one
// arena with offsets and for shared objects, and the bounds that say how good a
// plan can be.
//
// [Solve] runs one strategy by name and returns a [Plan] that the independent
// checker, package alloc/check, has passed. The strategies are in packages by method,
// below alloc/internal; to add one, write a function there and add a line to the table
// in registry.go.
package alloc
