package results

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// An Arena is what the arena of TensorFlow Lite Micro holds, in bytes.
type Arena struct {
	// ArenaBytes is head and tail, which is what arena_used_bytes() returns.
	ArenaBytes int64 `json:"arena_bytes"`
	HeadBytes  int64 `json:"head_bytes"`
	TailBytes  int64 `json:"tail_bytes"`
	// SmallestArenaBytes is the least multiple of 16 in which AllocateTensors succeeds.
	SmallestArenaBytes int64 `json:"smallest_arena_bytes"`
}

// NewArena returns an arena as a result.
func NewArena(a rules.Arena) *Arena {
	return &Arena{ArenaBytes: a.Used(), HeadBytes: a.Head, TailBytes: a.Tail, SmallestArenaBytes: a.Smallest}
}

// A MicroArena is what the arena of TensorFlow Lite Micro consists of, and what it is counted
// for: it stands beside the sum of head and tail.
type MicroArena struct {
	HeadBytes          int64 `json:"head_bytes"`
	TailBytes          int64 `json:"tail_bytes"`
	SmallestArenaBytes int64 `json:"smallest_arena_bytes"`
	// Scratch says which scratch of kernels is counted, ABI what the arena is counted for.
	Scratch string `json:"scratch"`
	ABI     string `json:"abi"`
}

// NewMicroArena returns the parts of an arena.
func NewMicroArena(a rules.Arena, scratch, abi string) *MicroArena {
	return &MicroArena{HeadBytes: a.Head, TailBytes: a.Tail, SmallestArenaBytes: a.Smallest, Scratch: scratch, ABI: abi}
}

// arenaText says what an arena holds, in a line of its own.
func (s Style) arenaText(total int64, m *MicroArena) string {
	return fmt.Sprintf("%s = head %s + tail %s; smallest arena %s (%s)",
		s.Paint.Strong(s.bytes(total)), s.exact(m.HeadBytes), s.exact(m.TailBytes), s.short(m.SmallestArenaBytes), m.ABI)
}

// was continues a byte count with what it was before, and how much less it is.
func (s Style) was(now, before int64) string {
	switch {
	case now == before:
		return ", as before"
	case now > before:
		return ", was " + s.bytes(before)
	}
	return fmt.Sprintf(", was %s: %s less", s.bytes(before), s.Paint.Good(s.share(before-now, before)))
}
