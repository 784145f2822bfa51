// Package check decides whether a memory plan is right, independently of the code that made
// it.
//
// It imports only package lifetime and shares no code with the strategies, so that a fault
// in one of them cannot hide here: each law is written down once more, plainly.
//
// The laws are those of Pisarchyk and Lee 2020, sections 3 to 5: no two tensors that are
// alive at a common operator position may share a byte (offsets) or an object (shared
// objects). A tensor of size zero holds no byte and so shares none. In a gap, a tensor lets
// others use the bytes that it does not hold (offsets only).
package check
