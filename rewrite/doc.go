// Package rewrite makes a new model file from an old one, with another memory plan or another
// order of its operators, and reads embedded plans.
//
// A memory plan is metadata named [PlanName] with one offset for each tensor. TensorFlow Lite
// Micro follows it unchecked. [Embed] writes a plan, [Remove] removes it, [ReadPlans] reads it.
//
// A plan that is valid only for some kernels has a second metadata entry, the [Marker], which
// the runtime does not read. [Embed] writes it too, and [ReadMarker] reads it. A tool that
// replaces or removes the plan must remove the marker as well.
//
// A file is patched, not re-packed: every byte that need not change stays, so that fields newer
// than the schema, other metadata and vendors' data survive. New bytes are prepended. A file
// with data that may hold file positions in unknown form is refused ([RefusedError]).
//
// [Reorder] changes the order of operators in place. The vector of operators holds only
// references, and any element can refer to any operator.
//
// Package edit changes the operators themselves, and package verify checks a plan.
//
// This package does no file I/O. Every result is parsed again and compared with the original
// file before it is returned.
package rewrite
