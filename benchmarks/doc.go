// Package benchmarks repeats published measurements: the tables of the papers,
// computed from the networks that package models builds, beside the figures as
// printed.
//
// The tables are kept as documents, paper-tables.md and paper-tables.csv, which a
// test computes anew; "go test ./benchmarks -update" rewrites them.
package benchmarks
