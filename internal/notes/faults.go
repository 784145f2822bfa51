package notes

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Failures returns a note for each kind of fault that fails a check of a model.
func Failures(list []rules.Fault) []results.Note {
	return faultNotes(rules.Failing(list))
}

// FaultWarnings returns a note for each kind of fault that only warns.
func FaultWarnings(list []rules.Fault) []results.Note {
	var warns []rules.Fault
	for _, f := range list {
		if !f.Fails {
			warns = append(warns, f)
		}
	}
	return faultNotes(warns)
}

// AllFaults returns both, the failures first.
func AllFaults(list []rules.Fault) []results.Note {
	return append(Failures(list), FaultWarnings(list)...)
}

// faultNotes returns faults as notes, the most serious first.
func faultNotes(list []rules.Fault) (notes []results.Note) {
	for _, k := range []struct {
		kind results.NoteKind
		text string
		is   func(f rules.Fault) bool
	}{
		{results.WarnCannotRun, "does not run: ", func(f rules.Fault) bool { return f.Stops() }},
		{results.WarnWrong, "wrong results: ", func(f rules.Fault) bool { return f.Fails && f.Kind != rules.DoesNotRun }},
		{results.WarnCustom, "needs an application kernel: ", func(f rules.Fault) bool { return f.Custom }},
		{results.WarnKernel, "may not run: ", func(f rules.Fault) bool { return !f.Fails && !f.Custom && f.Kind == rules.DoesNotRun }},
		{results.WarnKernel, "may compute wrong results: ", func(f rules.Fault) bool { return !f.Fails && f.Kind == rules.WrongResults }},
		{results.WarnOldMemory, "depends on old memory: ", func(f rules.Fault) bool { return !f.Fails && f.Kind == rules.OldMemory }},
	} {
		var found []rules.Fault
		for _, f := range list {
			if k.is(f) {
				found = append(found, f)
			}
		}
		for _, g := range rules.Group(found) {
			n := results.Note{Kind: k.kind, Text: k.text + g.Text}
			if g.First.Inlinable {
				n.Remedy = results.Inline
			}
			notes = append(notes, n)
		}
	}
	return notes
}

// UnusedScratch warns of scratch that the kernels of a library request and do not use.
func UnusedScratch(m *tflite.Model, library string) []results.Note {
	var texts []string
	for _, w := range rules.UnusedScratch(m, library) {
		texts = append(texts, w.String())
	}
	return results.Notes(results.NoteUnused, texts)
}

// A FaultyError is the error for a model that is not rewritten because it does not run or computes
// wrong results.
type FaultyError struct {
	Faults []rules.Fault
	// Repairable reports that rules avoid all of them.
	Repairable bool
}

func (e *FaultyError) Error() string {
	const most = 3
	var texts []string
	failures := Failures(e.Faults)
	for i, f := range failures {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more faults", len(failures)-most))
			break
		}
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, "; ")
}

// RefuseFaults returns a [*FaultyError] for a model that does not run or computes wrong results on a target.
func RefuseFaults(m *tflite.Model, device rules.Device) error {
	if list := rules.Failing(device.Rules().Faults(m)); len(list) > 0 {
		return &FaultyError{Faults: list}
	}
	return nil
}
