// Package segment cuts a model into several models that one runtime runs one after another, so that no more
// than a part of the weights has to be in memory.
//
// [Points] lists the places between two operators and the tensors that are alive there. [Parts] cuts at some
// of them: each part is a run of operators, which reads tensors that earlier parts made and makes
// tensors that later parts read. [Write] makes a model file of a part. Its operators are those of the
// model, with the same options, in the same order, over tensors with the same shapes, types,
// quantisation and data, so that the parts together compute what the model computes, bit for bit,
// with the same kernels.
//
// A part has its own copy of every constant that its operators read. It has no metadata and no
// signatures: plans and the names of the whole model would be wrong there.
//
// Nothing here opens or writes a file. Every file was parsed again, and compared with the model,
// before it is returned.
package segment
