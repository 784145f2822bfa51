// Package benchmarks repeats published measurements and maintains documents that compare them with
// ours: the tables of the papers, recomputed from the networks of package models, next to the published
// figures.
//
// The documents are in the package's folder, such as paper-tables.md and paper-tables.csv. Tests
// recompute them; "go test ./benchmarks -update" rewrites them.
package benchmarks
