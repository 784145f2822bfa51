// Package remarks has the sentences of commands and pages about a model: unusual parts of the file,
// runtimes that reject it, faults of its plan, and the counted scratch.
package remarks

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
		return []results.Note{{Kind: results.WarnLiteRT, Text: text + ReorderHint}}
	case text != "":
		return []results.Note{{Kind: results.WarnLiteRT, Text: text}}
	}
	return nil
}

// ReorderHint ends warnings of an order with hazards in LiteRT.
const ReorderHint = "; rewrite --reorder takes another order if that costs no memory"

// PlanWarnings warns of faults of the plan of a model.
func PlanWarnings(carried *embedded.Carried, m *tflite.Model) []results.Note {
	list := UnknownLibrary(carried.Marker)
	if trouble := PlanTrouble(carried, m); trouble != "" {
		kind, _ := carried.Trouble(m)
		list = append(list, results.PlanWarning(kind, "the memory plan that the model carries "+trouble))
	}
	return list
}

// UnknownArena warns of an unknown arena.
func UnknownArena(f rules.Figures) []results.Note {
	if f.Known() {
		return nil
	}
	return []results.Note{{Kind: results.WarnUnproven, Text: "the arena is not known: " + results.UnknownText(f)}}
}

// PlanTrouble returns the fault of the plan, or "" without a fault or a plan.
func PlanTrouble(carried *embedded.Carried, m *tflite.Model) string {
	kind, text := carried.Trouble(m)
	if kind == embedded.Broken && !carried.ForOthers() {
		text += VerifyHint
	}
	return text
}

// VerifyHint ends warnings of a broken plan.
const VerifyHint = "; 'tflarena verify' says more"
