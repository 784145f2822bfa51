package results

import "github.com/tflarena/tflarena/lifetime"

// A Takeover is an output that lies where an input of its operator lies, by the tensors'
// ids, and what makes that right.
type Takeover struct {
	From string `json:"from"`
	To   string `json:"to"`
	Why  string `json:"why"`
}

// NewTakeovers returns takeovers between records as results.
func NewTakeovers(records []lifetime.Record, list []lifetime.Takeover) []Takeover {
	out := make([]Takeover, 0, len(list))
	for _, t := range list {
		out = append(out, Takeover{records[t.From].ID, records[t.To].ID, t.Why})
	}
	return out
}
