// Package pickle reads plain data from Python pickles of protocols 0 to 5: numbers, texts, lists,
// tuples, sets and dicts. It executes nothing.
//
// A pickle is a program that can call any Python function. Opcodes that look up, call or build objects,
// or refer to objects outside of the file, are errors with their offset. Opcodes are as in Python's
// module pickletools.
//
// Files may be large, so values are 64-bit references into the file and into tables, and the memory in
// use is bounded by a fixed multiple of the file's size (see [Decode]).
package pickle
