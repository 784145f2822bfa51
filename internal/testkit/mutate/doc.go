// Package mutate makes hostile models for tests: valid flatbuffers with the structure of a model, and
// with numbers, types, indexes and lists that no converter would write.
//
// [Read] reads a model into a tree of tables, as in the schema. [Table.Mutate] changes the tree by a
// recipe of bytes, which a fuzzer draws, and [Table.Encode] writes it as a file again. [Zoo] makes
// models of every operator of the schema, with invalid numbers of inputs and outputs.
package mutate
