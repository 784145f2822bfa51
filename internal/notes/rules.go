package notes

import (
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// ReplacedNotes names the rules by which operators of a model were replaced, if its record can be read, and whether
// they are exact with the device's kernels.
func ReplacedNotes(m *tflite.Model, d rules.Device) []results.Note {
	record, err := provenance.Read(m)
	if record == nil || err != nil {
		return nil
	}
	text := "operators were replaced by rules: " + results.RecordText(record) + "; exact with " + record.Exact.String()
	if family, _, _ := d.Library(); !record.With(family) {
		text += ", and not with " + KernelsOf(d.Kernels)
	}
	return []results.Note{{Kind: results.NoteRules, Text: text}}
}

// RepairedFor names the kernels for which faults were repaired.
func RepairedFor(d rules.Device) results.Note {
	return results.Note{Kind: results.NoteRepaired, Text: "faults were repaired for " + KernelsOf(d.Kernels) + "; others have other faults"}
}
