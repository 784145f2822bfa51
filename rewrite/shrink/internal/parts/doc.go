// Package parts lists the runs of operators that paths through a model consist of, unmodified
// and tiled, and estimates the cost of each run and each path.
//
// Reading order: [New] makes a [Row] of a model (row.go), with the live bytes at each operator
// (alive.go). [Row.List] picks promising runs (list.go, effort.go) and tries stages of each
// (stages.go). A [Part] has the estimated cost of its run (part.go, cost.go, tail.go): memory is computed
// from the records of the fragment that replaces the run (scene.go), with permitted sharing of memory
// (takeover.go). [Frontier] finds the undominated paths (path.go), and [Row.Edit] writes one of them
// (edit.go).
package parts
