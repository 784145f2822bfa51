// Package segment splits a model into several models that one runtime runs in sequence, so that
// only part of the weights must be in memory.
//
// [Points] lists the positions between two operators and the tensors live there. [Parts] splits
// at some of them: each part is a run of operators that reads outputs of earlier parts and
// produces inputs of later ones. [Write] makes a model file of a part. It contains the same
// operators with the same options in the same order, over tensors with the same shapes, types,
// quantisation and data, so the parts together produce bit-identical results with the same
// kernels.
//
// A part has its own copy of every constant that its operators read. It has no metadata and no
// signatures: plans and names of the whole model would be wrong there.
//
// This package does no file I/O. Every file is parsed again and compared with the model before
// it is returned.
package segment
