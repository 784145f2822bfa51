package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Fault is a known fault of a model in TensorFlow Lite Micro.
type Fault struct {
	// Effect: the model does not run, computes wrong results, or has outputs that depend on the previous content of
	// the arena.
	Kind rules.FaultKind `json:"kind"`
	// Whether `check` fails the model, and `rewrite` and `fit` write nothing. Other faults are warnings.
	Fails    bool `json:"fails"`
	Subgraph int  `json:"subgraph"`
	// Index of the operator in its subgraph; -1 if no single operator is at fault.
	Index int `json:"index"`
	// Kind of the operator, such as CONV_2D, or its custom code; empty if no single operator is at fault.
	Operator string `json:"operator"`
	// Phase in which the fault shows.
	Phase rules.Phase `json:"phase"`
	// Library whose code has the fault.
	Library string `json:"library"`
	// Releases or commits of the library that have the fault.
	Versions string `json:"versions"`
	// Condition of the fault, for people: a predicate of the operator.
	Reason string `json:"reason"`
	// Why the fault is only a warning; empty if it fails the check, and if nothing limits it.
	Limits string `json:"limits"`
	// File and line in the repository of the library, or an issue; empty for a refusal by a kernel.
	Source string `json:"source"`
	// Whether only the kernel of a custom operator is missing, which an application can register.
	Custom bool `json:"custom"`
}

func NewFaults(list []rules.Fault) []Fault {
	all := []Fault{}
	for _, f := range list {
		all = append(all, Fault{
			Kind: f.Kind, Fails: f.Fails, Subgraph: f.Subgraph, Index: f.Operator, Operator: f.Name,
			Phase: f.Phase, Library: f.Library, Versions: f.Versions, Reason: f.Reason, Limits: f.Limits, Source: f.Source, Custom: f.Custom,
		})
	}
	return all
}

// leftUntouched names the operators that commands do not change because of a fault.
func leftUntouched(list []rules.Fault) []string {
	names := []string{}
	for _, f := range list {
		if f.LeavesUntouched() {
			names = append(names, fmt.Sprintf("%d:%d %s", f.Subgraph, f.Operator, f.Name))
		}
	}
	return slices.Compact(names)
}

// untouched writes the operators that a command did not change because of a fault.
func (s Style) untouched(b *strings.Builder, names []string) {
	if len(names) > 0 {
		s.line(b, "untouched", tables.Printable(strings.Join(names, ", "))+": these kernels go wrong, so their tiles and buffers stay")
	}
}
