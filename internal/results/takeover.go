package results

import "github.com/tflarena/tflarena/lifetime"

// A Takeover is a tensor that lies where another lies although both are alive, by their
// ids, and what makes that right: To begins so many bytes behind the beginning of From, or
// in front of it where DistanceBytes is negative.
type Takeover struct {
	From          string `json:"from"`
	To            string `json:"to"`
	DistanceBytes int64  `json:"distance_bytes"`
	Why           string `json:"why"`
}

// NewTakeovers returns takeovers between records as results.
func NewTakeovers(records []lifetime.Record, list []lifetime.Takeover) []Takeover {
	out := make([]Takeover, 0, len(list))
	for _, t := range list {
		out = append(out, Takeover{From: records[t.From].ID, To: records[t.To].ID, DistanceBytes: t.Offset, Why: t.Why})
	}
	return out
}
