// Package tflite reads TensorFlow Lite model files: it verifies a file and gives a safe,
// read-only view of what is in it.
//
// [Open], [Read] and [Parse] verify the whole file before they use any accessor of package
// schema: bounds, alignment, vtables, lengths, nesting depth and cross-references. A file
// that is not valid is refused with an [*Error], which names the path of the table and the
// byte offset. Something unusual but harmless becomes a [Warning]. Fields newer than the
// schema are ignored.
//
// Only one kind of damage does not make a file invalid: broken options of an operator that
// refers to no subgraph. Such an operator is kept without options, and a warning says so.
//
// The time and the memory that a file costs are in proportion to its size, however its
// tables share and overlap bytes.
package tflite
