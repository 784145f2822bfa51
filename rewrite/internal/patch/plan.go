package patch

import (
	"bytes"

	"github.com/tflarena/tflarena/tflite"
)

// PlanName is the name of the metadata entry that holds a memory plan, as the
// runtime compares it: all bytes, case included.
const PlanName = "OfflineMemoryAllocation"

// MarkerName is the name of the metadata entry that says with which kernels the plan is
// right. No runtime reads it.
const MarkerName = "tflarena_plan"

// MaxMarker is how many bytes a marker has at most. It is about 50 bytes long; the rest is
// room for what other versions say.
const MaxMarker = 1024

// Alignment is the number of bytes that every offset of a plan has to be a multiple of. The
// runtime aligns sizes to it but never checks the alignment of an offset.
const Alignment = 16

// Carried is what a file is to carry: the bytes of a memory plan, and of a marker beside it.
// Each is nil where there is none, and there is no marker without a plan.
type Carried struct{ Plan, Marker []byte }

// A part is one of the two, with the name of its metadata entry and the word for it.
type part struct {
	name, word string
	data       []byte
}

// parts returns both, the plan first.
func (c Carried) parts() [2]part {
	return [2]part{{PlanName, "plan", c.Plan}, {MarkerName, "marker", c.Marker}}
}

// CarriedBy reports whether a model carries this and nothing else. A marker may be followed
// by spaces.
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

// Carries reports whether a model has a plan or a marker, whatever is in it.
func Carries(m *tflite.Model) bool { return len(PlanEntries(m))+len(MarkerEntries(m)) > 0 }

func entriesOf(m *tflite.Model, name string) (entries []int) {
	for i, md := range m.Metadata {
		if md.Name == name {
			entries = append(entries, i)
		}
	}
	return entries
}

// Ours reports whether a metadata entry of this name is a plan's or a marker's.
func Ours(name string) bool { return name == PlanName || name == MarkerName }
