// Package remarks has the sentences that commands and pages say about a model: what is unusual about
// the file, which runtimes refuse it, what is wrong with its plan, and which scratch was counted.
package remarks

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/asis"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Warnings returns the warnings about a model and about running it.
func Warnings(v *rules.View) []results.Note {
	list := append(Unusual(v.Model), RefusalWarnings(v.Rules.Title, v.Obstacles())...)
	if v.Rules.IsMicro() {
		list = append(list, KernelWarnings(v.Model, v.Rules.Kernels)...)
	}
	return list
}

// KernelWarnings returns what a kernel library gets wrong with a model that runs.
func KernelWarnings(m *tflite.Model, library string) []results.Note {
	var texts []string
	for _, f := range rules.Faults(m, library) {
		if !f.Stops {
			texts = append(texts, fmt.Sprintf("with %s, %v", KernelsOf(library), f))
		}
	}
	return results.Notes(results.WarnKernel, texts)
}

// Unusual returns what is unusual about a file.
func Unusual(m *tflite.Model) []results.Note {
	list := []results.Note{}
	for _, w := range m.Warnings {
		list = append(list, results.Note{Kind: results.WarnFile, Text: w.String()})
	}
	return list
}

// FileWarnings warns of what LiteRT gets wrong in the order of the file, and says what to do.
func FileWarnings(v *rules.View) []results.Note {
	text, mendable := asis.LiteRTWarning(v, asis.WrongInLiteRT(v))
	switch {
	case mendable:
		return []results.Note{{Kind: results.WarnLiteRT, Text: text + ReorderHint}}
	case text != "":
		return []results.Note{{Kind: results.WarnLiteRT, Text: text}}
	}
	return nil
}

// ReorderHint ends what is said of an order that LiteRT gets wrong.
const ReorderHint = "; rewrite --reorder takes another order if that costs no memory"

// PlanWarnings says what is wrong with the plan of a model.
func PlanWarnings(carried *asis.Carried, m *tflite.Model) []results.Note {
	list := UnknownLibrary(carried.Marker)
	if trouble := PlanTrouble(carried, m); trouble != "" {
		kind, _ := carried.Trouble(m)
		list = append(list, results.PlanWarning(kind, "the memory plan that the model carries "+trouble))
	}
	return list
}

// PlanTrouble says what is wrong with the plan. It returns "" if nothing is wrong, or if there is
// no plan.
func PlanTrouble(carried *asis.Carried, m *tflite.Model) string {
	kind, text := carried.Trouble(m)
	if kind == asis.Broken && !carried.ForOthers() {
		text += VerifyHint
	}
	return text
}

// VerifyHint ends what is said of a broken plan.
const VerifyHint = "; 'tflarena verify' says more"
