package patch

import "github.com/tflarena/tflarena/tflite"

// PlanName is the name of the metadata entry that holds a memory plan, as the
// runtime compares it: all bytes, case included.
const PlanName = "OfflineMemoryAllocation"

// Alignment is the number of bytes that every offset of a plan has to be a multiple of. The
// runtime aligns sizes to it but never checks the alignment of an offset.
const Alignment = 16

// PlanEntries returns the indexes of the metadata entries that hold plans.
func PlanEntries(m *tflite.Model) (entries []int) {
	for i, md := range m.Metadata {
		if md.Name == PlanName {
			entries = append(entries, i)
		}
	}
	return entries
}
