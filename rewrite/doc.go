// Package rewrite makes a new model file from an old one, and judges the memory
// plan that a file carries: metadata named [PlanName], one offset a tensor, which
// TensorFlow Lite Micro follows without checking it.
//
// A file is patched, not re-packed: every byte that need not change stays, so that
// fields newer than the schema, other metadata and vendors' data survive. Where
// bytes must be added they go in front. References inside a flatbuffer only lead
// forward, so a new header, root table and the two vectors that grow can refer into
// the old bytes behind them, which keep their distances to each other. What counts
// from the start of the file moves along: constants and options behind the
// flatbuffer, and the offsets inside a zip archive of labels. What may hold such
// positions without saying so is refused ([RefusedError]).
//
// The order of operators is changed in place ([Reorder]): in their vector are only
// references, and each operator may be referred to from any place in it.
//
// Other operators and more tensors are written in front too ([Apply]): new tables of one
// subgraph, which refer to what they share with the old ones behind them. The data of
// constants that are added lies among the old bytes too, where that of constants was which
// nothing uses any more: weights in pieces are not stored twice.
//
// Nothing here opens or writes a file. Every result was parsed again and compared
// with what it was made from before it is returned.
package rewrite
