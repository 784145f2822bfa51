package results

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// MarkerNotes returns notes on the embedded plan from its marker, which may be nil.
func MarkerNotes(m *rewrite.Marker) []Note {
	if m == nil {
		return nil
	}
	return Notes(NoteKernels, []string{"the embedded plan is " + kernelsText(m) + "; another kernel library may compute something else"})
}

// kernelsText names the kernels that a plan requires.
func kernelsText(m *rewrite.Marker) string {
	return fmt.Sprintf("right with the %s kernels only (alias level %s)", rules.OfMarker(m.Kernels), m.Alias)
}

// markerText describes the change of a marker, "" without one.
func markerText(d *modeldiff.Plan) string {
	says := func(s modeldiff.PlanSide) string {
		if s.Marker == nil {
			return "one that cannot be read"
		}
		return kernelsText(s.Marker)
	}
	switch d.MarkerChange {
	case "":
		return ""
	case modeldiff.PlanSame:
		return "the same: " + says(d.B)
	case modeldiff.PlanAdded:
		return "added: " + says(d.B)
	case modeldiff.PlanRemoved:
		return "removed: " + says(d.A)
	}
	return "changed: " + says(d.A) + " -> " + says(d.B)
}
