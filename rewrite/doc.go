// Package rewrite makes a new model file from an old one, with another memory plan or
// another order of its operators, and reads the plans that a file carries.
//
// A memory plan is metadata named [PlanName] with one offset for each tensor. TensorFlow
// Lite Micro follows it without checking it. [Embed] writes a plan, [Remove] takes it out,
// [ReadPlans] reads it.
//
// A plan that is right with some kernels alone has a second entry beside it, the [Marker],
// which the runtime does not read. [Embed] writes it too, and [ReadMarker] reads it. A tool
// that makes another plan, or takes the plan out, has to take the marker out as well.
//
// A file is patched, not re-packed: every byte that need not change stays, so that fields
// newer than the schema, other metadata and vendors' data survive. Where bytes must be
// added they go in front. A file with data that may hold positions in the file without
// saying so is refused ([RefusedError]).
//
// [Reorder] changes the order of operators in place. The vector of operators holds only
// references, and each operator may be referred to from any place in it.
//
// Package edit changes the operators themselves, and package verify judges a plan.
//
// Nothing here opens or writes a file. Every result was parsed again, and compared with the
// file that it was made from, before it is returned.
package rewrite
