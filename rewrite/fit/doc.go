// Package fit makes a model need less memory than its largest operator: it decides which
// runs of operators to cut into pieces (package split), and how finely, so that the
// whole stays below a budget at the least extra work.
//
// The model is a row of operators. A path through it takes one operator after the other
// as it is, or a run of them as a stage in pieces; each part has a peak, extra
// multiply-accumulates and extra persistent memory. Below a limit for the peak the
// cheapest path is a shortest path (as in msf-CNN, 2025), over boundaries between
// operators and places in the arena of the tensor that is alive there, since a part counts
// only where it has a plan (package chain). What the paths promise is measured on the files
// that they lead to.
package fit
