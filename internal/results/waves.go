package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/late"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Waves are the rounds of planning of a problem whose sizes become known late.
type Waves struct {
	// Size of the plan with all sizes known from the start, in bytes.
	AtOnceBytes int64 `json:"at_once_total_bytes"`
	// Size in bytes of waves that never exceed run_time_total_bytes, whatever the sizes turn out to be.
	CautiousBytes int64 `json:"cautious_total_bytes"`
	// Size in bytes with an allocator at run time, which places each tensor in the smallest hole when it begins.
	RunTimeBytes int64 `json:"run_time_total_bytes"`
	// Rounds of planning in their order.
	List []Wave `json:"list"`
}

// A Wave is one round. Position is omitted for the first one, before anything runs.
type Wave struct {
	// Position at which the sizes become known; negative before the run. Absent for sizes known from the start.
	Position *int `json:"position,omitempty"`
	// Number of sizes that become known at this position.
	Known int `json:"known_count"`
	// Number of tensors in use at this position, which keep their places.
	Kept int `json:"kept_count"`
	// Number of tensors whose place differs from the one planned before.
	Moved int `json:"moved_count"`
	// Memory in bytes of all tensors known by then.
	TotalBytes int64 `json:"total_bytes"`
}

// NewWaves returns the rounds as a result.
func NewWaves(r *late.Result) *Waves {
	w := &Waves{AtOnceBytes: r.AtOnce.Total, CautiousBytes: r.Cautious, RunTimeBytes: r.RunTime, List: []Wave{}}
	for i, x := range r.Waves {
		wave := Wave{Known: x.Records, Kept: x.Kept, Moved: x.Moved, TotalBytes: x.Total}
		if x.At != late.FromStart {
			wave.Position = &r.Waves[i].At
		}
		w.List = append(w.List, wave)
	}
	return w
}

// text compares the plan with its alternatives.
func (w *Waves) text(b *strings.Builder, s Style, total int64) {
	s.line(b, "at once", fmt.Sprintf("%s with all sizes known from the start: waves cost %s", s.bytes(w.AtOnceBytes), units.Percent(total-w.AtOnceBytes, w.AtOnceBytes)))
	s.line(b, "cautious", s.bytes(w.CautiousBytes)+" by waves that never take more than at run time, whatever the sizes are")
	s.line(b, "at run time", s.bytes(w.RunTimeBytes)+" without a plan: each tensor goes into the smallest hole when it begins")
	t := &tables.Table{Columns: []tables.Column{
		{Head: "known at", Kind: tables.Right},
		{Head: "sizes", Kind: tables.Number},
		{Head: "kept", Kind: tables.Number},
		{Head: "moved", Kind: tables.Number},
		{Head: "total", Kind: tables.Bytes},
	}}
	for _, x := range w.List {
		at := "start"
		if x.Position != nil {
			at = fmt.Sprint(*x.Position)
		}
		t.Add(at, x.Known, x.Kept, x.Moved, x.TotalBytes)
	}
	s.table(b, "waves", t)
}
