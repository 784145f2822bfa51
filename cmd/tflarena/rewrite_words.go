package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite/improve"
	"github.com/tflarena/tflarena/tflite"
)

// rewriteWording returns the messages of an outcome, with related flags.
func rewriteWording(c *cli.Context, m *tflite.Model, g improve.Goal, o *improve.Outcome) results.Wording {
	requests := len(g.Device.Requests(m))
	w := results.Wording{
		ScratchRequests: requests, Reason: flagged(o.Reason),
		Notes:    []results.Note{remarks.ScratchNote(g.Device, m)},
		Warnings: append(remarks.Unusual(m), remarks.AllFaults(o.Faults)...),
	}
	w.Warnings = append(w.Warnings, remarks.UnknownArena(o.After.Figures)...)
	for _, n := range o.Notes {
		switch n.Kind {
		case improve.Unordered:
			n.Text = fmt.Sprintf("no other order was planned, because --time-limit %s was reached first", limitOf(c))
		case improve.WritesOver:
			n.Text = overlapNote(g.Alias, g.Device.Kernels, len(o.Overlaps))
		case improve.TakesOver:
			n.Text = aliasNote(g.Alias, g.Device.Kernels, len(o.Takeovers))
		}
		w.Notes = append(w.Notes, results.ImproveNote(n.Kind, flagged(n)))
	}
	w.Notes = append(w.Notes, orderNotes(g.Alias, g.Device.Kernels, len(o.Overlaps))...)
	for _, n := range o.Warnings {
		if marker, hint := othersHint(c, m, g.Device); marker != nil && n.Kind == improve.PlanBroken {
			w.Warnings = append(w.Warnings, results.ImproveNote(n.Kind, n.Text+hint))
			continue
		}
		w.Warnings = append(w.Warnings, results.ImproveNote(n.Kind, flagged(n)))
	}
	return w
}

// flagHints end messages about effects of a flag or a command.
var flagHints = map[improve.Kind]string{
	improve.ForeignStays:   "; --force replaces it",
	improve.LargerInLiteRT: ": --ignore-litert takes it",
	improve.WrongIfOrdered: "; --ignore-litert takes it",
	improve.OrderUnforced:  forceHint,
	improve.ForKernels:     "; rewrite --remove takes the plan out",
	improve.PlanBroken:     remarks.VerifyHint,
	improve.WrongAsItIs:    remarks.ReorderHint,
}

// flagged returns the text of a note with its hint.
func flagged(n improve.Note) string { return n.Text + flagHints[n.Kind] }
