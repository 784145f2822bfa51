package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Fault is something known to go wrong when TensorFlow Lite Micro runs a model.
type Fault struct {
	// Kind is "does-not-run", "wrong-results" or "old-memory".
	Kind string `json:"kind"`
	// Fails reports whether a check of the model fails; other faults are warnings.
	Fails bool `json:"fails"`
	// Subgraph and Index are indexes; Index is -1 where no single operator is at fault.
	Subgraph int `json:"subgraph"`
	Index    int `json:"index"`
	// Operator is the name of the operator.
	Operator string `json:"operator"`
	// Phase is "no kernel", "Prepare", "planning" or "Eval".
	Phase string `json:"phase"`
	// Library and Versions name the code that has the fault.
	Library  string `json:"library"`
	Versions string `json:"versions"`
	Reason   string `json:"reason"`
	// Limits is why a fault is a warning, "" where it fails.
	Limits string `json:"limits"`
	// Source is a file and line of the library, or an issue, "" for what a kernel refuses.
	Source string `json:"source"`
	// Custom reports that only the kernel of a custom operator is missing, which an application can
	// register.
	Custom bool `json:"custom"`
}

// NewFaults returns faults as reports have them.
func NewFaults(list []rules.Fault) []Fault {
	all := []Fault{}
	for _, f := range list {
		all = append(all, Fault{
			Kind: string(f.Kind), Fails: f.Fails, Subgraph: f.Subgraph, Index: f.Operator, Operator: f.Name,
			Phase: string(f.Phase), Library: f.Library, Versions: f.Versions, Reason: f.Reason, Limits: f.Limits, Source: f.Source, Custom: f.Custom,
		})
	}
	return all
}

// leftUntouched names the operators that commands leave alone because of a fault.
func leftUntouched(list []rules.Fault) []string {
	names := []string{}
	for _, f := range list {
		if f.LeavesUntouched() {
			names = append(names, fmt.Sprintf("%d:%d %s", f.Subgraph, f.Operator, f.Name))
		}
	}
	return slices.Compact(names)
}

// untouched names the operators that a command left alone because of a fault.
func (s Style) untouched(b *strings.Builder, names []string) {
	if len(names) > 0 {
		s.line(b, "untouched", tables.Printable(strings.Join(names, ", "))+": these kernels go wrong, so their tiles and buffers stay")
	}
}
