package patch

import (
	"bytes"

	"github.com/tflarena/tflarena/tflite"
)

// PlanName is the name of the metadata entry that holds a memory plan. The runtime compares it
// byte by byte, case-sensitively.
const PlanName = "OfflineMemoryAllocation"

// MarkerName is the name of the metadata entry that names the kernels for which the plan is
// valid. No runtime reads it.
const MarkerName = "tflarena_plan"

// MaxMarker is the maximum size of a marker in bytes. Markers have about 50 bytes; the rest is
// reserved for other versions.
const MaxMarker = 1024

// Alignment is the required alignment of a plan's offsets, in bytes. The runtime aligns sizes
// to it but never checks the alignment of an offset.
const Alignment = 16

// Carried is a memory plan and its marker, as bytes to embed in a file. Each is nil if absent;
// a marker requires a plan.
type Carried struct{ Plan, Marker []byte }

// part is the plan or the marker, with the name of its metadata entry and its name in messages.
type part struct {
	name, word string
	data       []byte
}

// parts returns the plan, then the marker.
func (c Carried) parts() [2]part {
	return [2]part{{PlanName, "plan", c.Plan}, {MarkerName, "marker", c.Marker}}
}

// CarriedBy reports whether a model has exactly this plan and marker. Spaces after the marker
// are ignored.
func (c Carried) CarriedBy(m *tflite.Model) bool {
	for _, p := range c.parts() {
		entries := entriesOf(m, p.name)
		if p.data == nil && len(entries) == 0 {
			continue
		}
		if p.data == nil || len(entries) != 1 {
			return false
		}
		rest, found := bytes.CutPrefix(m.Buffers[m.Metadata[entries[0]].Buffer].Data, p.data)
		if !found || p.name == MarkerName && len(bytes.TrimLeft(rest, " ")) > 0 {
			return false
		}
	}
	return true
}

// PlanEntries returns the indexes of the metadata entries that hold plans.
func PlanEntries(m *tflite.Model) []int { return entriesOf(m, PlanName) }

// MarkerEntries returns the indexes of the metadata entries that hold markers.
func MarkerEntries(m *tflite.Model) []int { return entriesOf(m, MarkerName) }

// Carries reports whether a model has a plan or a marker, valid or not.
func Carries(m *tflite.Model) bool { return len(PlanEntries(m))+len(MarkerEntries(m)) > 0 }

func entriesOf(m *tflite.Model, name string) (entries []int) {
	for i, md := range m.Metadata {
		if md.Name == name {
			entries = append(entries, i)
		}
	}
	return entries
}

// Ours reports whether a metadata entry of this name is a plan or a marker.
func Ours(name string) bool { return name == PlanName || name == MarkerName }
