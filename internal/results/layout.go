package results

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Layout is the places of everything that a runtime plans for a model, for pictures and maps.
type Layout struct {
	View    *rules.View
	Records []lifetime.Record
	// Offsets are in bytes, and parallel to Records.
	Offsets []int64
	// Total is in bytes, and so is LowerBound, which is zero where none is known.
	Total, LowerBound int64
	// Shares reports that tensors share memory on purpose.
	Shares bool
	// By names what placed the tensors.
	By string
}

// CarriedLayout returns the layout of a model in TensorFlow Lite Micro, with its embedded plan, if any.
// The bound is in bytes.
func CarriedLayout(c *embedded.Carried, bound int64) *Layout {
	o := c.Outcome
	l := &Layout{View: o.View, Records: o.Records, Offsets: o.Offsets, Total: o.Head, LowerBound: bound, Shares: o.Shared, By: "placed by the runtime's own planner"}
	if c.Followed() {
		l.By = fmt.Sprintf("placed by the plan that the model carries, which fixes %d of %s", o.Pinned, count(o.Planned, "tensor"))
	}
	if o.Shared {
		l.LowerBound = 0 // it does not allow for that
	}
	return l
}

// Map returns the layout for drawing.
func (l *Layout) Map() memorymap.Map {
	return memorymap.Map{
		Records: l.Records, Offsets: l.Offsets, Roles: Roles(l.View, l.Records), Steps: StepNames(l.View), Unit: memorymap.Operators,
		Total: l.Total, LowerBound: l.LowerBound, Shares: l.Shares,
	}
}

// asItRuns is the title of a picture of an unmodified model.
func asItRuns(input, runtime string) string { return input + ", as " + runtime + " runs it" }

// Picture returns a picture of the unmodified model: the places of tensors over time.
func (a *Analysis) Picture() *drawing.Page {
	s := Style{}
	m := picture.Memory{Title: asItRuns(a.Input, a.runtimeTitle), Map: a.Layout.Map()}
	if a.Used > 0 {
		m.Below = append(m.Below, s.memoryText(a.Figures, builtFor(a.ABI, a.Kernels)))
	}
	m.Below = append(m.Below, a.Layout.By)
	if a.BestBytes < a.Head {
		proof := ""
		if a.ProvenOptimal {
			proof = ", proven best"
		}
		m.Below[len(m.Below)-1] += fmt.Sprintf("; the best plan takes %s, by %s%s", s.bytes(a.BestBytes), a.BestStrategy, proof)
	}
	return m.Page()
}

// Picture returns a picture of both models, one above the other, at the same scale.
func (d *Diff) Picture() *drawing.Page {
	side := func(name string, s *DiffSide) picture.Memory {
		m := picture.Memory{Title: name + ": " + s.Input, Map: s.Layout.Map()}
		if s.Used > 0 {
			m.Below = append(m.Below, Style{}.memoryText(s.Figures, builtFor(s.ABI, s.Kernels)))
		}
		m.Below = append(m.Below, s.Layout.By)
		return m
	}
	words := "the same"
	if d.HeadDifferenceBytes != 0 {
		words = Style{}.gap(d.A.Head, d.B.Head)
	}
	return picture.Pair{
		Title: fmt.Sprintf("%s: %s, as %s runs it", d.label, words, d.title), Before: side("A", &d.A), After: side("B", &d.B),
	}.Page()
}
