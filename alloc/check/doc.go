// Package check validates a memory plan, independently of the code that made it.
//
// It imports only package lifetime and shares no code with the strategies, so that no fault is common
// to both: each law is implemented a second time, plainly.
//
// The laws are from Pisarchyk and Lee 2020, sections 3 to 5: no two tensors that are alive at a common
// operator position may share a byte (offsets) or an object (shared objects). A tensor of size zero
// shares no byte. In a gap, a tensor leaves the bytes that it does not hold to others (offsets only).
package check
