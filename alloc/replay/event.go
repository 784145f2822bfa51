package replay

// A Kind says what happened.
type Kind uint8

// The kinds of events. What begins with Segment is about what the program's own allocator
// reserved from the device, in which it then places blocks.
const (
	Alloc     Kind = iota + 1 // a block is requested
	Free                      // a block may be used again
	Interrupt                 // what is requested from here on is not hot, and is not planned
	Resume                    // what is requested from here on is planned again
	Step                      // an iteration is complete
	SegmentAlloc
	SegmentFree
	SegmentMap   // a part of an expandable segment gets memory
	SegmentUnmap // a part of an expandable segment loses its memory
	Other        // anything that changes no memory
)

// An Event is one line of a trace.
type Event struct {
	// Block says which block it is about: a number that no two blocks have at the same time,
	// such as its address. For segments it is the address.
	Block uint64
	// Size is in bytes, of a block as it was requested.
	Size int64
	// Time is in microseconds since any moment; 0 where it is not known.
	Time int64
	// Stack says who asked, for [Trace.Caller]; -1 where that is not known.
	Stack int32
	// Lane is an index into [Device.Lanes].
	Lane uint16
	Kind Kind
}

// A Lane is what blocks are placed in apart from others. Memory that was released on one
// stream of a device may still be in use there when another stream asks for it, and private
// pools, as those of CUDA graphs, keep their memory for themselves.
type Lane struct {
	Stream int64
	// Pool is empty for the pool that all share.
	Pool string
}

// A Segment is memory that the program's own allocator had reserved from the device at the end
// of the trace, in bytes.
type Segment struct {
	Address uint64
	Size    int64
	Lane    uint16
}

// A Block is one that was in use at the end of the trace.
type Block struct {
	Address uint64
	// Size is what was requested, in bytes.
	Size  int64
	Stack int32
	Lane  uint16
}

// A Device is one device of a trace: its memory has nothing to do with that of others.
type Device struct {
	Index  int
	Events []Event
	Lanes  []Lane
	// Segments and Blocks are the state at the end. Recorded says that the trace has it:
	// what is not among them was not there.
	Segments []Segment
	Blocks   []Block
	Recorded bool
	// Marks are the indexes of events with which an iteration ends, ascending, from
	// annotations beside the events.
	Marks []int
	// Name returns what a block is called.
	Name func(block uint64) string
}

// A Trace is what was observed.
type Trace struct {
	Devices []*Device
	// Granule is what the program's own allocator rounds sizes up to, in bytes; 1 where that
	// is not known.
	Granule int64
	// Caller returns the function that is to blame for a stack, and its file; both are empty
	// for a negative number.
	Caller func(stack int32) (function, file string)
	// Notes say what is unusual about the trace, a sentence each without its full stop.
	Notes []string
}
