package modeldiff

import (
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Differs reports whether the plan or its marker changed.
func (d *Plan) Differs() bool {
	return d.Change != PlanNone && d.Change != PlanSame || d.MarkerChange != "" && d.MarkerChange != PlanSame
}

// readMarker reads the marker of a model, and keeps its bytes.
func (s *PlanSide) readMarker(m *tflite.Model) {
	for _, md := range m.Metadata {
		if md.Name == rewrite.MarkerName {
			s.marker = bufferData(m, md)
		}
	}
	var err error
	if s.Marker, err = rewrite.ReadMarker(m); err != nil {
		s.MarkerProblem = err.Error()
	}
}

// markerChange says what became of the marker. Those that can be read are the same where
// they say the same, and others where they have the same bytes.
func (m *matching) markerChange(a, b *PlanSide) PlanChange {
	hasA, hasB := a.Marker != nil || a.MarkerProblem != "", b.Marker != nil || b.MarkerProblem != ""
	switch {
	case !hasA && !hasB:
		return ""
	case !hasA:
		return PlanAdded
	case !hasB:
		return PlanRemoved
	case a.Marker != nil && b.Marker != nil && *a.Marker == *b.Marker,
		a.Marker == nil && b.Marker == nil && m.contents.same(a.marker, b.marker):
		return PlanSame
	}
	return PlanChanged
}
