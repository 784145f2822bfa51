// Package notes has the sentences of commands and pages about a model: unusual parts of the file,
// runtimes that reject it, faults of its plan, and the counted scratch.
package notes

import (
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Warnings returns the warnings about a model and about running it.
func Warnings(v *rules.View) []results.Note {
	return append(append(Unusual(v.Model), AllFaults(v.Faults())...), orderWarnings(v)...)
}

// Unusual returns notes on unusual parts of a file.
func Unusual(m *tflite.Model) []results.Note {
	list := []results.Note{}
	for _, w := range m.Warnings {
		list = append(list, results.Note{Kind: results.WarnFile, Text: w.String()})
	}
	return list
}

// orderWarnings warns of the hazards of LiteRT in the order of the file, with a remedy.
func orderWarnings(v *rules.View) []results.Note {
	text, mendable := embedded.LiteRTWarning(v, embedded.WrongInLiteRT(v))
	switch {
	case mendable:
		return []results.Note{{Kind: results.WarnLiteRT, Text: text, Remedy: results.Reorder}}
	case text != "":
		return []results.Note{{Kind: results.WarnLiteRT, Text: text}}
	}
	return nil
}

// PlanWarnings warns of faults of the plan of a model.
func PlanWarnings(carried *embedded.Carried, m *tflite.Model) []results.Note {
	list := UnknownLibrary(carried.Marker)
	if n := PlanTrouble(carried, m); n.Text != "" {
		n.Text = "the memory plan that the model carries " + n.Text
		list = append(list, n)
	}
	return list
}

// UnknownArena warns of an unknown arena.
func UnknownArena(f rules.Figures) []results.Note {
	if f.Known() {
		return nil
	}
	return []results.Note{{Kind: results.WarnUnproven, Text: "the arena is not known: " + results.UnknownText(f), Remedy: results.StateScratch}}
}

// PlanTrouble returns the fault of the plan, as the predicate of a sentence about it, or a note
// without text if there is no fault or no plan.
func PlanTrouble(carried *embedded.Carried, m *tflite.Model) results.Note {
	kind, text := carried.Trouble(m)
	n := results.PlanWarning(kind, text)
	switch {
	case kind == embedded.Broken && carried.ForOthers():
		n.Remedy = results.CountKernels
	case kind == embedded.Broken:
		n.Remedy = results.Verify
	}
	return n
}
