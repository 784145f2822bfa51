// Package litert makes networks for package stream from TensorFlow Lite models that LiteRT runs.
//
// [Layers] makes each operator a layer, whose constant inputs are its weights. [Slice] first cuts
// operators with too many weights.
//
// [PlanSegments] makes each segment a layer: a part of the model in a file of its own (package
// rewrite/segment), so that LiteRT runs a model in less memory than its weights take. The file is the
// weight, the memory of the interpreter is the intermediate, and the tensors between segments are
// activations. LiteRT decides on addresses itself, so the plan only counts bytes: blocks of memory that
// are requested and released one by one stay within the budget.
//
// A program runs the segments in order. For each it waits until the file is read, makes an interpreter,
// copies the inputs in, runs it, copies the outputs out, and drops the interpreter, and the file too
// unless it is resident. Another thread reads the files.
package litert
