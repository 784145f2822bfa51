package results

import "github.com/tflarena/tflarena/lifetime"

// A Takeover is a tensor in the bytes of another although both are alive, by their ids, with the
// permission: To begins DistanceBytes after the beginning of From, or before it if negative.
type Takeover struct {
	// ID of the input whose memory is reused.
	From string `json:"from"`
	// ID of the output that reuses the memory.
	To string `json:"to"`
	// Distance in bytes from the start of `from` to the start of `to`; negative if `to` starts first.
	DistanceBytes int64 `json:"distance_bytes"`
	// Justification, for people.
	Why string `json:"why"`
}

// An Overlap is an output that shares bytes with an input which its operator reads for the last time,
// by their ids: To begins at least LeastDistanceBytes before From.
type Overlap struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Minimum distance in bytes from the start of `to` to the start of `from`; negative if `to` may start after
	// `from`.
	LeastDistanceBytes int64  `json:"least_distance_bytes"`
	Why                string `json:"why"`
}

// NewOverlaps returns overlaps between records as results.
func NewOverlaps(records []lifetime.Record, list []lifetime.Overlap) []Overlap {
	out := make([]Overlap, 0, len(list))
	for _, o := range list {
		out = append(out, Overlap{From: records[o.From].ID, To: records[o.To].ID, LeastDistanceBytes: o.Distance, Why: o.Why})
	}
	return out
}

// NewTakeovers returns takeovers between records as results.
func NewTakeovers(records []lifetime.Record, list []lifetime.Takeover) []Takeover {
	out := make([]Takeover, 0, len(list))
	for _, t := range list {
		out = append(out, Takeover{From: records[t.From].ID, To: records[t.To].ID, DistanceBytes: t.Offset, Why: t.Why})
	}
	return out
}
