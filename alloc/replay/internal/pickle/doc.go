// Package pickle reads plain data from Python pickles: numbers, texts, lists, tuples, sets and
// dicts, of protocols 0 to 5. It never runs anything.
//
// A pickle is a program that can call any function of Python. Every opcode that would look up,
// call or build something is refused with the byte where it stands, and so is every reference
// to objects outside of the file. The opcodes are those of the module pickletools of Python.
//
// Files may be large, so values are small numbers that point into the file and into tables,
// and the memory in use stays below a fixed multiple of the file's size (see [Decode]).
package pickle
