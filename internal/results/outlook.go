package results

import "github.com/tflarena/tflarena/rewrite/fit"

// An Outlook is what a model may need in pieces, an estimate: nothing was built.
type Outlook struct {
	// ArenaBytes is the head, the tail of the model as it is and what pieces add to it.
	ArenaBytes     int64   `json:"arena_bytes"`
	HeadBytes      int64   `json:"head_bytes"`
	ExtraTailBytes int64   `json:"extra_tail_bytes"`
	ExtraMACs      int64   `json:"extra_macs"`
	OwnMACs        int64   `json:"macs"`
	Stages         []Stage `json:"stages"`
}

// NewOutlook returns an estimate as a result, of a model whose tail takes so many bytes.
func NewOutlook(e fit.Estimate, tail, ownMACs int64) *Outlook {
	return &Outlook{
		ArenaBytes: e.Head + tail + e.Tail, HeadBytes: e.Head, ExtraTailBytes: e.Tail, ExtraMACs: e.ExtraMACs, OwnMACs: ownMACs,
		Stages: stagesOf(e.Stages),
	}
}

// work says how much more is computed.
func (o *Outlook) work() string { return extraWork(o.ExtraMACs, o.OwnMACs) + " more work" }
