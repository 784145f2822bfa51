package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/late"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite/op"
)

// Waves are the rounds of planning of a problem whose sizes become known late.
type Waves struct {
	// Size of the plan with all sizes known from the start, in bytes.
	AtOnceBytes int64 `json:"at_once_total_bytes"`
	// Size in bytes of waves that never exceed run_time_total_bytes, whatever the sizes turn out to be.
	CautiousBytes int64 `json:"cautious_total_bytes"`
	// Size in bytes with an allocator at run time, which places each tensor in the smallest hole, or in a free shared object, when it
	// begins.
	RunTimeBytes int64 `json:"run_time_total_bytes"`
	// Rounds of planning in their order.
	List []Wave `json:"list"`
	// late are the tensors of a model whose sizes depend on data; model reports that there is a model.
	late          []lateTensor
	model, shared bool
}

// A lateTensor is a tensor whose size depends on data.
type lateTensor struct {
	id, name, after string
	bytes           int64
}

// An After is the operator that has run when sizes become known.
type After struct {
	Subgraph int `json:"subgraph"`
	// Index of the operator in its subgraph.
	Operator int `json:"index"`
	// Kind of the operator, such as WHERE, or its custom code.
	Name string `json:"name"`
}

// A Wave is one round. Position is omitted for the first one, before anything runs.
type Wave struct {
	// Position at which the sizes become known; negative before the run. Absent for sizes known from the start.
	Position *int `json:"position,omitempty"`
	// Operator at this position, after which the sizes are known. Absent for sizes known from the start, and for CSV
	// problems.
	After *After `json:"after,omitempty"`
	// IDs of the tensors whose sizes become known. Absent for sizes known from the start, and for CSV problems.
	Tensors []string `json:"tensors,omitzero"`
	// Number of sizes that become known at this position.
	Known int `json:"known_count"`
	// Number of tensors in use at this position, which keep their places.
	Kept int `json:"kept_count"`
	// Number of tensors whose place differs from the one planned before.
	Moved int `json:"moved_count"`
	// Memory in bytes of all tensors known by then.
	TotalBytes int64 `json:"total_bytes"`
}

// NewWaves returns the rounds as a result. View and sizes are a model's with its largest sizes, or nil.
func NewWaves(r *late.Result, view *rules.View, sizes *op.Sizes) *Waves {
	w := &Waves{AtOnceBytes: r.AtOnce.Total, CautiousBytes: r.Cautious, RunTimeBytes: r.RunTime, List: []Wave{}, model: view != nil, shared: r.Plan.Approach == alloc.Shared}
	for i, x := range r.Waves {
		wave := Wave{Known: x.Records, Kept: x.Kept, Moved: x.Moved, TotalBytes: x.Total}
		if x.At != late.FromStart {
			wave.Position = &r.Waves[i].At
			if view != nil {
				w.describe(&wave, view, sizes)
			}
		}
		w.List = append(w.List, wave)
	}
	return w
}

// describe adds the operator and the tensors of a round.
func (w *Waves) describe(wave *Wave, view *rules.View, sizes *op.Sizes) {
	s := view.Usage.Steps[*wave.Position]
	wave.After = &After{s.Subgraph, s.Operator, stepName(view, s)}
	for i, p := range view.Usage.Places {
		if sizes.After[p.Tensor] == s.Operator {
			r := view.Usage.Records[i]
			wave.Tensors = append(wave.Tensors, r.ID)
			w.late = append(w.late, lateTensor{id: r.ID, name: r.Name, after: wave.After.text(), bytes: r.Size})
		}
	}
}

func (a *After) text() string { return fmt.Sprintf("%s (%d:%d)", a.Name, a.Subgraph, a.Operator) }

// text compares the plan with its alternatives.
func (w *Waves) text(b *strings.Builder, s Style, total int64) {
	places, served := "at the offsets", "the smallest hole"
	if w.shared {
		places, served = "in the objects", "a free object"
	}
	switch {
	case len(w.late) > 0:
		s.line(b, "late sizes", fmt.Sprintf("%s with a size that depends on data, at its largest here: no input needs more than %s %s of this plan", count(len(w.late), "tensor"), s.bytes(total), places))
	case w.model:
		s.line(b, "late sizes", "none: no size depends on data")
	}
	s.line(b, "at once", fmt.Sprintf("%s with all sizes known from the start: waves cost %s", s.bytes(w.AtOnceBytes), units.Percent(total-w.AtOnceBytes, w.AtOnceBytes)))
	s.line(b, "cautious", s.bytes(w.CautiousBytes)+" by waves that never take more than at run time, whatever the sizes are")
	s.line(b, "at run time", s.bytes(w.RunTimeBytes)+" without a plan: each tensor goes into "+served+" when it begins")
	t := &tables.Table{Columns: []tables.Column{
		{Head: "known at", Kind: tables.Right},
		{Head: "after"},
		{Head: "sizes", Kind: tables.Number},
		{Head: "kept", Kind: tables.Number},
		{Head: "moved", Kind: tables.Number},
		{Head: "total", Kind: tables.Bytes},
	}}
	for _, x := range w.List {
		at, after := "start", ""
		if x.Position != nil {
			at = fmt.Sprint(*x.Position)
		}
		if x.After != nil {
			after = x.After.text()
		}
		t.Add(at, after, x.Known, x.Kept, x.Moved, x.TotalBytes)
	}
	s.table(b, "waves", t)
	if len(w.late) > 0 {
		s.table(b, "late sizes", w.lateTable(s.Top))
	}
}

// lateTable returns the table of late sizes, limited to the first rows unless top is 0.
func (w *Waves) lateTable(top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{{Head: "T#", Kind: tables.Right}, {Head: "tensor"}, {Head: "known after"}, {Head: "largest", Kind: tables.Bytes}}}
	for i, x := range w.late {
		if top > 0 && i == top {
			break
		}
		t.Add(x.id, x.name, x.after, x.bytes)
	}
	return t
}
