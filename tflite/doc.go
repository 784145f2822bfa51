// Package tflite reads TensorFlow Lite model files: it verifies a file and provides a safe,
// read-only view of its contents.
//
// [Open], [Read] and [Parse] verify the whole file before they use any accessor of package
// schema: bounds, alignment, vtables, lengths, nesting depth and cross-references. An invalid
// file is rejected with an [*Error], which has the path of the table and the byte offset.
// Unusual but harmless contents become a [Warning]. Fields newer than the schema are ignored.
//
// Only one kind of damage is tolerated: broken options of an operator that refers to no
// subgraph. The operator is kept without options, and a warning reports the damage.
//
// Time and memory are proportional to the size of the file, however its tables share and
// overlap bytes.
package tflite
