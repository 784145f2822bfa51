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
	// AtOnceBytes is the plan with all sizes known from the start, RunTimeBytes what an
	// allocator takes that does not plan. CautiousBytes are waves that never take more than
	// that, whatever the sizes turn out to be.
	AtOnceBytes   int64  `json:"at_once_total_bytes"`
	CautiousBytes int64  `json:"cautious_total_bytes"`
	RunTimeBytes  int64  `json:"run_time_total_bytes"`
	List          []Wave `json:"list"`
}

// A Wave is one round. Position is left out for the first one, before anything runs.
type Wave struct {
	Position *int `json:"position,omitempty"`
	// Known is how many sizes become known, Kept how many tensors are in use and stay, Moved
	// how many get another place than was planned before.
	Known      int   `json:"known_count"`
	Kept       int   `json:"kept_count"`
	Moved      int   `json:"moved_count"`
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

// text compares the plan with what it could be and with what it saves.
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
