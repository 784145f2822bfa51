package main

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// remedies end notes with the flags of their remedies.
var remedies = map[results.Remedy]string{
	results.Reorder:      "; rewrite --reorder takes another order if that costs no memory",
	results.Verify:       "; '" + name + " verify' says more",
	results.Inline:       "; rewrite --inline-weights moves them inside",
	results.Repair:       "; rewrite --repair avoids it",
	results.StateScratch: "; state what its kernel requests with --scratch FILE",
}

// addRemedies ends notes about a model, which may have a marker, with the flags of their remedies.
func (t *target) addRemedies(m *rewrite.Marker, lists ...[]results.Note) {
	for _, list := range lists {
		for i := range list {
			list[i].Text += t.remedy(list[i], m)
		}
	}
}

// remedy returns the end of a note, with the flags of its remedy.
func (t *target) remedy(n results.Note, m *rewrite.Marker) string {
	switch {
	case n.Remedy == results.CountKernels:
		return kernelsHint(m)
	case n.Kind == results.NoteHead && t.scratch == rules.NoScratch && t.device.IsReference():
		return ", --scratch reference counts that of the reference kernels"
	case n.Kind == results.NoteHead && t.scratch == rules.NoScratch:
		return ", that of " + notes.KernelsOf(t.device.Kernels) + " is without --scratch none"
	case n.Kind == results.NoteScratch && t.scratch == rules.NoScratch:
		return "; --scratch reference counts that of the reference kernels, --scratch FILE that of others"
	case n.Kind == results.NoteScratch && t.scratch == reference && t.device.IsReference():
		return "; for CMSIS-NN and ESP-NN, name the library with --kernels; for others, name a file with --scratch"
	}
	return remedies[n.Remedy]
}

// kernelsHint names the flag that counts the kernels of a marker, if they are known.
func kernelsHint(m *rewrite.Marker) string {
	if m == nil || !notes.IsLibrary(m.Kernels) {
		return ""
	}
	return "; --kernels " + rules.OfMarker(m.Kernels) + " is for those"
}

// hint adds a remedy to a refusal that can be overridden.
func hint(err error) error {
	refused, faulty, unknown := (*rewrite.RefusedError)(nil), (*notes.FaultyError)(nil), (*app.UnknownArenaError)(nil)
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w%s", err, remedies[results.StateScratch])
	case errors.As(err, &faulty):
		remedy := ""
		switch {
		case faulty.Repairable:
			remedy = remedies[results.Repair]
		case slices.ContainsFunc(faulty.Faults, func(f rules.Fault) bool { return f.Inlinable }):
			remedy = remedies[results.Inline]
		}
		return fmt.Errorf("%w; nothing was written%s; --allow-faults writes a model anyway", err, remedy)
	case errors.As(err, &refused) && refused.Force:
		return fmt.Errorf("%w"+forceHint, err)
	}
	return err
}

// forceHint ends a refusal that can be overridden.
const forceHint = "; --force goes ahead anyway"
