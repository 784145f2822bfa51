// Package slim makes model files smaller without changing what the models compute.
//
// [Slim] writes a file anew, without the parts that no runtime reads and without duplicates.
// Operators and subgraphs keep their order and their indexes, and constants stay aligned to 16
// bytes.
//
// This package does no file I/O. The new file is parsed again and compared with the old one, by
// code that the writer does not use, before it is returned.
package slim
