// Package patch makes a model file from another by changing some of its bytes, and compares the
// two before it returns the new one.
//
// A file is patched, not re-packed: every byte that need not change stays, so that fields newer
// than the schema, other metadata and vendors' data survive. New bytes are prepended.
// References inside a flatbuffer only point forward, so a new header, a new root table and the
// two vectors that grow can refer to the old bytes after them, which keep their distances to
// each other. Positions that count from the start of the file are adjusted: of constants and
// options after the flatbuffer, and inside a zip archive of labels. A file with data that may
// hold such positions in unknown form is refused ([RefusedError]).
package patch
