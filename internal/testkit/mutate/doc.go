// Package mutate makes hostile models for tests: valid flatbuffers that have the form of a
// model, with numbers, types, indexes and lists that no converter would write.
//
// [Read] reads a model into a tree of tables, as the schema has them. [Table.Mutate]
// changes the tree by a recipe of bytes, which a fuzzer draws, and [Table.Encode] writes it
// as a file again. [Zoo] makes models of every operator that the schema knows, with numbers
// of inputs and outputs that do not suit it.
package mutate
