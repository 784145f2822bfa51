package pin

import (
	"math"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// An Arena is all that TensorFlow Lite Micro's arena has to hold, in bytes.
type Arena struct {
	// Head is planned memory. Planning is what the runtime needs while it plans, in
	// the place of the head, and frees afterwards.
	Head, Planning int64
	// Tail is what the runtime keeps for good, part by part.
	Tail []rules.Part
}

// Arena returns what the arena has to hold on a target, of which the tail is in part
// an estimate.
func (o *Outcome) Arena(target rules.Target) Arena {
	return Arena{
		Head: o.Head, Planning: o.View.Planning(o.scratch, target),
		Tail: rules.Tail(persistent(o.model, o.offsets), o.scratch, target),
	}
}

// TailBytes returns the sum of the tail's parts.
func (a Arena) TailBytes() int64 {
	var sum int64
	for _, p := range a.Tail {
		sum = add(sum, p.Bytes)
	}
	return sum
}

// Total returns the bytes of the whole arena: the tail, and the larger of head and
// planning.
func (a Arena) Total() int64 { return add(max(a.Head, a.Planning), a.TailBytes()) }

// add adds sizes and stops at the largest number: no arena is that large.
func add(a, b int64) int64 {
	if b < 0 || a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
