// Package segments plans how LiteRT runs a model in less memory than its weights take: which segments
// (package rewrite/segment) the model is cut into, which of them stay in memory, and when each of the
// others is read.
//
// A segment is a layer of package alloc/stream. Its file is the weight. What LiteRT needs while the
// segment runs is its intermediate, and the tensors that it hands to others are activations. LiteRT decides
// itself what lies where, so the plan counts bytes: with blocks of memory that are requested
// and given back one by one, all that is held at a time stays within the budget.
//
// The program that runs the segments does the following for each, in their order. It waits until the file
// is read, makes an interpreter of it, copies the inputs in, runs it, copies the outputs out, and drops
// the interpreter, and the file too unless the segment stays. Another thread reads the files.
package segments
