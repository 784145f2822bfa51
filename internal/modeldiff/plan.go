package modeldiff

import (
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A PlanChange is what became of a memory plan, or of its marker.
type PlanChange string

// The changes.
const (
	PlanNone    PlanChange = "none" // neither model has one
	PlanSame    PlanChange = "same"
	PlanAdded   PlanChange = "added"
	PlanRemoved PlanChange = "removed"
	PlanChanged PlanChange = "changed"
)

// A Plan is the change of the embedded memory plan, whatever its effect in the runtime.
type Plan struct {
	// Change of the memory plan from the first model to the second: `none` if neither has one.
	Change PlanChange `json:"change"`
	// Number of tensors whose offset is added, removed or another one.
	TensorsChanged int `json:"tensors_changed"`
	// Change of the marker from the first model to the second. Absent if neither has one.
	MarkerChange PlanChange `json:"marker_change,omitempty"`
	A            PlanSide   `json:"a"`
	B            PlanSide   `json:"b"`
}

// A PlanSide is the plan of one model, the last of several.
type PlanSide struct {
	// Number of embedded memory plans. The last one is in effect.
	Plans        int `json:"plan_count"`
	TensorsFixed int `json:"tensors_fixed"`
	// Why the plan cannot be read, for people. Absent if it can.
	Problem string          `json:"problem,omitempty"`
	Marker  *rewrite.Marker `json:"marker,omitempty"`
	// Why the marker cannot be read, for people. Absent if it can, and without one.
	MarkerProblem string `json:"marker_problem,omitempty"`

	plan         *rewrite.Plan
	data, marker []byte
}

func planSide(m *tflite.Model) PlanSide {
	s := PlanSide{}
	s.readMarker(m)
	for _, md := range m.Metadata {
		if md.Name == rewrite.PlanName {
			s.Plans++
			s.data = bufferData(m, md)
		}
	}
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		s.Problem = err.Error()
		return s
	}
	if len(plans) == 0 {
		return s
	}
	s.plan = &plans[len(plans)-1]
	for _, offset := range s.plan.Offsets {
		if offset != rewrite.Online {
			s.TensorsFixed++
		}
	}
	return s
}

func bufferData(m *tflite.Model, md tflite.Metadata) []byte {
	if md.Buffer < 0 || md.Buffer >= len(m.Buffers) {
		return nil
	}
	return m.Buffers[md.Buffer].Data
}

// offset returns the planned offset of a tensor, by its number in the file.
func (s *PlanSide) offset(tensor int) int32 {
	if s.plan == nil || tensor >= len(s.plan.Offsets) {
		return rewrite.Online
	}
	return s.plan.Offsets[tensor]
}

func (m *matching) plan() Plan {
	d := Plan{A: planSide(m.a), B: planSide(m.b)}
	a, b := &d.A, &d.B
	d.TensorsChanged, d.MarkerChange = m.offsetsChanged(a, b), m.markerChange(a, b)
	switch {
	case a.Plans == 0 && b.Plans == 0:
		d.Change = PlanNone
	case a.Plans == 0:
		d.Change = PlanAdded
	case b.Plans == 0:
		d.Change = PlanRemoved
	case a.Plans == b.Plans && d.TensorsChanged == 0 && m.samePlan(a, b):
		d.Change = PlanSame
	default:
		d.Change = PlanChanged
	}
	return d
}

// samePlan compares the plans without offsets, or all bytes of unreadable ones.
func (m *matching) samePlan(a, b *PlanSide) bool {
	if a.plan == nil || b.plan == nil {
		return a.Problem != "" && b.Problem != "" && m.contents.same(a.data, b.data)
	}
	return a.plan.Version == b.plan.Version && a.plan.Subgraphs == b.plan.Subgraphs
}

// offsetsChanged counts the tensors with another offset.
func (m *matching) offsetsChanged(a, b *PlanSide) int {
	n, baseA, baseB := 0, 0, 0
	for _, p := range m.tensors {
		for i, j := range p.toB {
			was, is := a.offset(baseA+i), int32(rewrite.Online)
			if j >= 0 {
				is = b.offset(baseB + j)
			}
			if was != is {
				n++
			}
		}
		for j, i := range p.toA {
			if i < 0 && b.offset(baseB+j) != rewrite.Online {
				n++
			}
		}
		baseA, baseB = baseA+len(p.toB), baseB+len(p.toA)
	}
	return n
}
