// Package patch makes a model file from another one by changing bytes of it, and compares
// the two before anybody has the new one.
//
// A file is patched, not re-packed: every byte that need not change stays, so that
// fields newer than the schema, other metadata and vendors' data survive. Where
// bytes must be added they go in front. References inside a flatbuffer only lead
// forward, so a new header, root table and the two vectors that grow can refer into
// the old bytes behind them, which keep their distances to each other. What counts
// from the start of the file moves along: constants and options behind the
// flatbuffer, and the offsets inside a zip archive of labels. What may hold such
// positions without saying so is refused ([RefusedError]).
package patch
