package results

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/units"
)

// An Order is what is known of the order of a model's operators. A peak is the largest
// operator breadth, which no arena is smaller than in that order.
type Order struct {
	PeakBytes int64 `json:"peak_bytes"`
	// LeastPeakBytes is that of the best order found; no valid order has one below
	// BoundBytes.
	LeastPeakBytes int64 `json:"least_peak_bytes"`
	// WrittenPeakBytes is that of the order that was written, where it is not the least: a
	// plan may need less memory in an order of a larger peak.
	WrittenPeakBytes int64 `json:"written_peak_bytes,omitempty"`
	BoundBytes       int64 `json:"least_peak_bound_bytes"`
	Proven           bool  `json:"least_peak_proven"`
	// EffectsKept says that BoundBytes holds only for orders in which operators of unknown side
	// effects keep their order.
	EffectsKept bool `json:"least_peak_keeps_effects"`
	// States is how many sets of operators the search went through.
	States      int64 `json:"search_states"`
	Interrupted bool  `json:"interrupted"`
	// Problem says why the order given is no valid one; JSON leaves out the rest then.
	Problem string `json:"problem,omitempty"`
}

// MarshalJSON leaves out what means nothing.
func (o *Order) MarshalJSON() ([]byte, error) {
	if o.Problem != "" {
		return json.Marshal(map[string]string{"problem": o.Problem})
	}
	type plain Order
	return json.Marshal((*plain)(o))
}

// NewOrder returns an ordering as a result.
func NewOrder(o *schedule.Ordering) *Order {
	return &Order{
		PeakBytes: o.Own, LeastPeakBytes: o.Peak, BoundBytes: o.Bound, Proven: o.Proven, EffectsKept: o.Fixed,
		States: o.States, Interrupted: o.Interrupted,
	}
}

// text says it to people.
func (o *Order) text(s Style) string {
	below := o.none("no order") + " is below " + s.bytes(o.BoundBytes)
	switch {
	case o.Problem != "":
		return s.Paint.Warn(o.Problem)
	case o.LeastPeakBytes < o.PeakBytes:
		if o.Proven {
			below = o.none("no order") + " is below that"
		}
		less := units.Percent(o.PeakBytes-o.LeastPeakBytes, o.PeakBytes)
		return fmt.Sprintf("another order peaks at %s, %s less, and %s: rewrite --reorder", s.bytes(o.LeastPeakBytes), s.Paint.Good(less), below)
	case o.Proven:
		return o.none("no other order of the operators") + " has a smaller peak"
	}
	return "no better order was found; " + below
}

// none says of which orders none is better.
func (o *Order) none(orders string) string {
	if o.EffectsKept {
		return orders + " that keeps operators of unknown side effects in order"
	}
	return orders
}
