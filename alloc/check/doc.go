// Package check decides whether a plan is right. It imports nothing but the
// records' own package and shares no code with the strategies, so that a fault in
// one of them cannot hide here: each law is written down once more, plainly.
//
// The laws are those of Pisarchyk and Lee 2020, sections 3 to 5: no two tensors
// that are alive at a common operator position may share a byte (offsets) or an
// object (shared objects). A tensor of size zero holds no byte and so shares none,
// and in a gap a tensor shares what it does not hold meanwhile (offsets only).
package check
