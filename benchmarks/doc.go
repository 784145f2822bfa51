// Package benchmarks repeats published measurements and keeps the documents that compare
// them with ours: the tables of the papers, computed from the networks that package models
// builds, stand beside the figures as printed.
//
// The documents are kept in the folder of the package, such as paper-tables.md and
// paper-tables.csv. Tests compute them anew; "go test ./benchmarks -update" rewrites them.
package benchmarks
