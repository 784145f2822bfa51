// Package replay plans memory from what was observed: a trace of the requests that a program made
// for memory, which most programs make again in the same order.
//
// It follows Sekiyama et al., "Profile-guided memory optimization for deep neural networks"
// (2018), section 4. A [Device] has the events of a trace. Its [Profile] says when each block
// was in use and what the program's own allocator reserved, and [Profile.Plan] is the smallest
// memory for the same blocks, with a bound that says how close it is to the optimum.
// [Device.Iterations] finds the parts of a trace that repeat. An [Allocator] is what a program
// runs with: it answers requests by their order with planned addresses.
//
// The package knows no file formats. Time is counted in events: a block is in use from the event
// that requests it to the last event before the one that releases it, both inclusive.
package replay
