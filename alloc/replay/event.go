package replay

// A Kind is the kind of an event.
type Kind uint8

// The kinds of events. Those that begin with Segment are about memory that the program's allocator
// reserves from the device.
const (
	Alloc     Kind = iota + 1 // a block is requested
	Free                      // a block is released
	Interrupt                 // the following requests are cold: they are not planned
	Resume                    // the following requests are hot again
	Step                      // an iteration is complete
	SegmentAlloc
	SegmentFree
	SegmentMap   // a part of an expandable segment gets memory
	SegmentUnmap // a part of an expandable segment loses its memory
	Other        // memory does not change
)

// An Event is one line of a trace.
type Event struct {
	// Block identifies a block: no two blocks in use have the same number. For segments it is the
	// address.
	Block uint64
	// Size is the requested size in bytes.
	Size int64
	// Time is in microseconds since any moment; 0 if unknown.
	Time int64
	// Stack is an argument of [Trace.Caller]; -1 if unknown.
	Stack int32
	// Lane is an index into [Device.Lanes].
	Lane uint16
	Kind Kind
}

// A Lane is a stream and a pool. Lanes share no memory: a block released on one stream may still be in
// use there when another stream requests memory, and private pools, as for CUDA graphs, keep their
// memory.
type Lane struct {
	Stream int64
	Pool   string // empty for the common pool
}

// A Segment is memory reserved from the device at the end of the trace. Size is in bytes.
type Segment struct {
	Address uint64
	Size    int64
	Lane    uint16
}

// A Block is a block in use at the end of the trace.
type Block struct {
	Address uint64
	Size    int64 // requested, in bytes
	Stack   int32
	Lane    uint16
}

// A Device is a device of a trace, with its own memory.
type Device struct {
	Index  int
	Events []Event
	Lanes  []Lane
	// Segments and Blocks are the state at the end of the trace, which is complete if Recorded is set.
	Segments []Segment
	Blocks   []Block
	Recorded bool
	// Marks are the indexes of the last events of iterations, ascending, from annotations.
	Marks []int
	// Name returns the name of a block.
	Name func(block uint64) string
}

// A Trace is the memory events of a program.
type Trace struct {
	Devices []*Device
	// Granule is the allocator's size granularity in bytes; 1 if unknown.
	Granule int64
	// Caller returns the function that a stack is charged to, and its file. Both are empty for a
	// negative number.
	Caller func(stack int32) (function, file string)
	// Notes are sentences without a full stop about unusual properties of the trace.
	Notes []string
}
