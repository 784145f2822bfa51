package results

import "github.com/tflarena/tflarena/rewrite/shrink"

// An Outlook is an estimate of a tiled model, which was not built.
type Outlook struct {
	// Estimated arena in bytes: the head, the tail of the unmodified model, and extra_tail_bytes.
	Used int64 `json:"used_bytes"`
	Head int64 `json:"head_bytes"`
	// Estimated growth of the tail in bytes; negative if it shrinks.
	ExtraTailBytes int64 `json:"extra_tail_bytes"`
	// Multiply-accumulates of one run beyond those of the unmodified model; negative if fewer.
	ExtraMACs int64 `json:"extra_macs"`
	// Multiply-accumulates of one run of the unmodified model.
	OwnMACs int64 `json:"macs"`
	// Tiled blocks: the runs of operators that are computed tile by tile.
	Stages []Stage `json:"stages"`
}

// NewOutlook returns an estimate as a result, for a model with a tail of so many bytes.
func NewOutlook(e shrink.Estimate, tail, ownMACs int64) *Outlook {
	return &Outlook{
		Used: e.Head + tail + e.Tail, Head: e.Head, ExtraTailBytes: e.Tail, ExtraMACs: e.ExtraMACs, OwnMACs: ownMACs,
		Stages: stagesOf(e.Stages),
	}
}

// work describes the extra work.
func (o *Outlook) work() string { return extraWork(o.ExtraMACs, o.OwnMACs) + " more work" }
