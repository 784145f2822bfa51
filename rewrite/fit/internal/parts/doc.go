// Package parts lists the runs of operators that a path through a model can be made of, as they
// are and in pieces, and estimates what each run and each path costs.
//
// It reads in this order: [New] makes a [Row] of a model (row.go), with what is alive at each
// operator (alive.go). [Row.List] picks the runs that are worth a try (list.go, effort.go) and
// tries candidates for each (stages.go). A [Candidate] says what its run costs (candidate.go,
// cost.go, tail.go): memory is counted on the records of the fragment that takes the place of
// the run (scene.go), with the memory that tensors may share (takeover.go), and the same
// records are its link of a memory plan (link.go). [Frontier] finds the paths that no other
// path beats (path.go), and [Row.Edit] writes one of them (edit.go).
package parts
