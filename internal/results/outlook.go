package results

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/fit"
)

// An Outlook is what a model may need in pieces, an estimate: nothing was built.
type Outlook struct {
	HeadBytes      int64   `json:"head_bytes"`
	ExtraTailBytes int64   `json:"extra_tail_bytes"`
	ExtraMACs      int64   `json:"extra_macs"`
	OwnMACs        int64   `json:"macs"`
	Stages         []Stage `json:"stages"`
}

// NewOutlook returns an estimate as a result.
func NewOutlook(e fit.Estimate, ownMACs int64) *Outlook {
	return &Outlook{
		HeadBytes: e.Head, ExtraTailBytes: e.Tail, ExtraMACs: e.ExtraMACs, OwnMACs: ownMACs,
		Stages: stagesOf(e.Stages),
	}
}

// text says it to people.
func (o *Outlook) text(s Style) string {
	work := "no more work"
	if o.ExtraMACs > 0 {
		work = fmt.Sprintf("%.1f %% more multiply-accumulates", 100*float64(o.ExtraMACs)/float64(max(o.OwnMACs, 1)))
	}
	return fmt.Sprintf("about %s in pieces, for %s and %s more tail: an estimate, 'tflarena fit --head' makes it", s.bytes(o.HeadBytes), work, s.bytes(o.ExtraTailBytes))
}
