// Package rewrite makes a new model file from an old one, with another memory plan or
// another order of its operators, and reads the plans that a file carries: metadata named
// [PlanName], one offset a tensor, which TensorFlow Lite Micro follows without checking it.
//
// A file is patched, not re-packed: every byte that need not change stays, so that
// fields newer than the schema, other metadata and vendors' data survive. Where
// bytes must be added they go in front. What may hold positions in the file without
// saying so is refused ([RefusedError]).
//
// The order of operators is changed in place ([Reorder]): in their vector are only
// references, and each operator may be referred to from any place in it.
//
// Package edit changes the operators themselves, package verify judges a plan.
//
// Nothing here opens or writes a file. Every result was parsed again and compared
// with what it was made from before it is returned.
package rewrite
