package chainer

import (
	"strconv"

	"github.com/tflarena/tflarena/alloc/replay"
)

// A recorder makes the events of requests and releases. A function is the stack of its events.
type recorder struct {
	events    []replay.Event
	sizes     map[uint64]int64 // of blocks in use
	last      uint64
	functions []string
	stacks    map[string]int32
}

func newRecorder() *recorder {
	return &recorder{sizes: map[uint64]int64{}, stacks: map[string]int32{}}
}

// alloc records a request of a function, and returns the block.
func (r *recorder) alloc(function string, bytes int64) uint64 {
	stack, known := r.stacks[function]
	if !known {
		stack = int32(len(r.functions))
		r.stacks[function] = stack
		r.functions = append(r.functions, function)
	}
	r.last++
	r.sizes[r.last] = bytes
	r.events = append(r.events, replay.Event{Kind: replay.Alloc, Block: r.last, Size: bytes, Stack: stack})
	return r.last
}

func (r *recorder) free(block uint64) {
	r.events = append(r.events, replay.Event{Kind: replay.Free, Block: block, Size: r.sizes[block], Stack: -1})
	delete(r.sizes, block)
}

// step records the end of a mini-batch.
func (r *recorder) step() {
	r.events = append(r.events, replay.Event{Kind: replay.Step, Stack: -1})
}

// trace returns what was recorded.
func (r *recorder) trace() *replay.Trace {
	return &replay.Trace{
		Devices: []*replay.Device{{
			Lanes: []replay.Lane{{}}, Events: r.events,
			Name: func(block uint64) string { return strconv.FormatUint(block, 10) },
		}},
		Granule: Granule,
		Caller: func(stack int32) (function, file string) {
			if stack < 0 {
				return "", ""
			}
			return r.functions[stack], ""
		},
	}
}
