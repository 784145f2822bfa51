package results

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// An Outlook is the best tiled model that a small search finds. A longer search finds at least as good
// a one.
type Outlook struct {
	rules.Figures
	// Multiply-accumulates of one run beyond macs; negative if fewer.
	ExtraMACs int64 `json:"extra_macs"`
	// Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled.
	OwnMACs int64 `json:"macs"`
	// Size of the file in bytes.
	FileBytes int64 `json:"file_bytes"`
	// Tiled blocks: the runs of operators that are computed tile by tile.
	Stages []Stage `json:"stages"`
}

// NewOutlook returns a candidate as a result, for a model with so many multiply-accumulates.
func NewOutlook(c *shrink.Candidate, ownMACs int64) *Outlook {
	return &Outlook{Figures: c.Figures.Stated(), ExtraMACs: c.ExtraMACs, OwnMACs: ownMACs, FileBytes: c.FileBytes, Stages: stagesOf(c.Stages)}
}

// work describes the extra work, and the time with it if there is an estimate for the file, which has
// macs multiply-accumulates.
func (o *Outlook) work(t *Time, macs int64) string {
	text := extraWork(o.ExtraMACs, o.OwnMACs) + " extra MACs"
	if t != nil {
		text += " (about " + t.with(o.OwnMACs+o.ExtraMACs-macs, macs) + ")"
	}
	return text
}
