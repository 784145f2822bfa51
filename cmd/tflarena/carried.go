package main

import (
	"context"

	"github.com/tflarena/tflarena/internal/asis"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// follow reads the plan of a model and follows it, until an interrupt. It is judged for the kernels
// given, or else for those that its marker names.
func follow(ctx context.Context, title string, m *tflite.Model, scratch []rules.Request, kernels string) (*asis.Carried, error) {
	carried, err := asis.Follow(ctx, m, scratch)
	if ctx.Err() != nil {
		return nil, interruptedError{}
	}
	if err != nil {
		return nil, named(title, invalidError{err})
	}
	carried.Kernels = kernels
	return carried, nil
}

// planWarnings says what is wrong with the plan of a model.
func planWarnings(carried *asis.Carried, m *tflite.Model) []results.Note {
	list := unknownLibrary(carried.Marker)
	if trouble := planTrouble(carried, m); trouble != "" {
		kind, _ := carried.Trouble(m)
		list = append(list, results.PlanWarning(kind, "the memory plan that the model carries "+trouble))
	}
	return list
}

// planTrouble says, of the plan, what is wrong with it; "" where nothing is, and where there
// is none.
func planTrouble(carried *asis.Carried, m *tflite.Model) string {
	kind, text := carried.Trouble(m)
	if kind == asis.Broken && !carried.ForOthers() {
		text += verifyHint
	}
	return text
}

// verifyHint ends what is said of a broken plan.
const verifyHint = "; '" + name + " verify' says more"

// planNote is what is said where a figure leaves the plan aside.
func planNote(m *tflite.Model) []results.Note {
	for _, md := range m.Metadata {
		if md.Name == rewrite.PlanName {
			return results.Notes(results.NotePlanAside, []string{"a memory plan (" + rewrite.PlanName + ") is embedded in the model; the runtime would follow it, but these figures do not"})
		}
	}
	return nil
}

// microView returns a model as TensorFlow Lite Micro sees it.
func microView(m *tflite.Model) (*rules.View, error) {
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return nil, invalidError{err}
	}
	return v, nil
}

// fileWarnings warns of what LiteRT gets wrong in the order of the file, and says what to do.
func fileWarnings(v *rules.View) []results.Note {
	text, mendable := asis.LiteRTWarning(v, asis.WrongInLiteRT(v))
	switch {
	case mendable:
		return []results.Note{{Kind: results.WarnLiteRT, Text: text + reorderHint}}
	case text != "":
		return []results.Note{{Kind: results.WarnLiteRT, Text: text}}
	}
	return nil
}

// reorderHint ends what is said of an order that LiteRT gets wrong.
const reorderHint = "; rewrite --reorder takes another order where that costs no memory"
