// Package tflite is a safe, read-only view of a TensorFlow Lite model.
//
// A file is verified before any accessor of package schema touches it: bounds,
// alignment, vtables, lengths, depth and cross-references. What does not hold is
// an [Error] that names the path of the table and the byte offset. What is unusual
// but harmless is a [Warning]. Fields newer than the schema are left alone.
//
// Damage is confined in one place only: the options of an operator that names no
// subgraphs. They are the operator's own affair, and are left out with a warning.
//
// The work and the memory that a file causes are in proportion to its size, however
// its tables share and overlap.
package tflite
