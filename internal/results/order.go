package results

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/units"
)

// An Order is the bounds of the order of a model's operators. A peak is the largest operator breadth, a
// lower bound of arenas in that order.
type Order struct {
	// Peak live bytes of the file's order of the operators.
	PeakBytes int64 `json:"peak_bytes"`
	// Peak in bytes of the best order found.
	LeastPeakBytes int64 `json:"least_peak_bytes"`
	// Peak in bytes of the written order. Absent if that is the least.
	WrittenPeakBytes int64 `json:"written_peak_bytes,omitempty"`
	// Lower bound in bytes on the peak of any valid order of the operators.
	BoundBytes int64 `json:"least_peak_bound_bytes"`
	// Whether no order has a smaller peak than least_peak_bytes, under the condition of least_peak_keeps_effects.
	Proven bool `json:"least_peak_proven"`
	// Whether least_peak_bound_bytes holds only for orders that preserve the relative order of operators with
	// unknown side effects, such as custom operators.
	EffectsKept bool `json:"least_peak_keeps_effects"`
	// Number of sets of operators that the search for an order examined.
	States      int64 `json:"search_states"`
	Interrupted bool  `json:"interrupted"`
	// Why the order of the file is invalid, for people; it is then the only field. Absent if it is valid.
	Problem string `json:"problem,omitempty"`
}

// MarshalJSON omits meaningless fields.
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

// text describes it for people.
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

// none is the subject of a sentence about all orders of a kind.
func (o *Order) none(orders string) string {
	if o.EffectsKept {
		return orders + " that keeps operators of unknown side effects in order"
	}
	return orders
}
