// Package patch makes a model file from another one by changing some of its bytes, and
// compares the two before it returns the new one.
//
// A file is patched, not re-packed: every byte that need not change stays, so that fields
// newer than the schema, other metadata and vendors' data survive. Where bytes must be
// added they go in front. References inside a flatbuffer only lead forward, so a new
// header, a new root table and the two vectors that grow can refer to the old bytes behind
// them, which keep their distances to each other. Positions that count from the start of
// the file are adjusted: those of constants and options behind the flatbuffer, and the
// offsets inside a zip archive of labels. A file with data that may hold such positions
// without saying so is refused ([RefusedError]).
package patch
