// Package mutate makes hostile models for tests: files that are valid flatbuffers, and
// models by their form, whose numbers, types, indexes and lists are not what any converter
// would write.
//
// A model is read into a tree of tables, as the schema has them ([Read]), is changed there
// by a recipe of bytes, which a fuzzer draws ([Table.Mutate]), and is written as a file
// again ([Table.Encode]). [Zoo] makes models of every operator that the schema knows, with
// numbers of inputs and outputs that do not suit it.
package mutate
