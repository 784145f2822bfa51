// Package replay plans memory from traces: the memory requests of a program, which most programs
// repeat in the same order.
//
// It follows Sekiyama et al., "Profile-guided memory optimization for deep neural networks" (2018),
// section 4. A [Device] has the events of a trace. Its [Profile] has the lifetime of each block and
// the memory that the program's allocator reserved. [Profile.Plan] plans the least memory for the same
// blocks, with a lower bound. [Profile.Iterations] finds the parts of a trace that repeat. An
// [Allocator] serves the requests of a running program, by their order, with planned offsets.
//
// Time is counted in events: a block is in use from the event that requests it to the last event
// before its release, both inclusive. Package replay/trace reads the files of traces.
package replay
