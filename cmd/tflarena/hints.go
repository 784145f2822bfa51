package main

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// addHint ends the notes of a kind with a hint, which names the flags of a remedy.
func addHint(notes []results.Note, kind results.NoteKind, hint string) {
	for i := range notes {
		if notes[i].Kind == kind {
			notes[i].Text += hint
		}
	}
}

// hintScratch says in the notes of a result how to count other scratch.
func (t *target) hintScratch(notes []results.Note) {
	switch {
	case t.scratch == rules.NoScratch:
		addHint(notes, results.NoteScratch, "; --scratch reference counts that of the reference kernels, --scratch FILE that of others")
	case t.scratch == reference && t.device.IsReference():
		addHint(notes, results.NoteScratch, "; for CMSIS-NN and ESP-NN, name the library with --kernels; for others, name a file with --scratch")
	}
}

// kernelsHint says how to keep a plan for other kernels, if the command line names none.
func (t *target) kernelsHint(m *rewrite.Marker) string {
	if library := t.otherLibrary(m); library != "" {
		return "; --kernels " + library + " is for those"
	}
	return ""
}

// hint adds a remedy to a refusal that can be overridden.
func hint(err error) error {
	refused := (*rewrite.RefusedError)(nil)
	switch {
	case errors.As(err, new(*remarks.FaultyError)):
		return fmt.Errorf("%w; nothing was written; --allow-faults writes a model anyway", err)
	case errors.As(err, &refused) && refused.Force:
		return fmt.Errorf("%w"+forceHint, err)
	}
	return err
}

// forceHint ends a refusal that can be overridden.
const forceHint = "; --force goes ahead anyway"
