package faults

import (
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Effect is the consequence of a fault for an operator that meets its condition.
type Effect int

// The effects.
const (
	Refuses     Effect = iota // AllocateTensors or Invoke returns an error
	Crashes                   // AllocateTensors or Invoke aborts or faults
	Hangs                     // Invoke never returns
	Miscomputes               // values differ from the operator's semantics
	Overruns                  // memory outside the buffers of the operator is read or written
	Unwritten                 // a part of the output is never written
	Stale                     // the output depends on the previous contents of the arena
)

// Evidence is the way in which a fault was found.
type Evidence int

// The kinds of evidence, the strongest first. Only Run fails a check.
const (
	Run        Evidence = iota // the kernel was run
	Assertions                 // the kernel was run, and is right in builds without assertions
	Rounding                   // the kernel was run, and is one output step off
	Upstream                   // reproduced in an upstream issue only
	Source                     // read in the source only
)

// A Known is a known fault: a condition under which a library's kernels do not implement an
// operator correctly.
type Known struct {
	// Library names the faulty code, and Versions the releases or commits in which the fault
	// was found.
	Library, Versions string
	// When is the condition in words.
	When string
	// builds selects the libraries with the kernel.
	builds func(l *kernels.Library) bool
	// operators are the builtin operators of the row, nil for all operators.
	operators []schema.BuiltinOperator
	Effect    Effect
	// Phase is when the fault occurs: Prepare is part of AllocateTensors, Eval of Invoke.
	Phase    Phase
	Evidence Evidence
	// Link is the file and line in the public repository, or the issue.
	Link string
	// why returns the condition as the predicate of a sentence about the operator, or "" if it
	// does not hold. It is called only for operators that no law rejects in Prepare.
	why func(k kernel) string
}

// A Finding is a known fault of an operator.
type Finding struct {
	*Known
	// Reason is a predicate about the operator: "ignores its fused activation RELU6".
	Reason string
}

// Warns reports whether the finding is a warning rather than a failure.
func (f Finding) Warns() bool { return f.Evidence != Run || f.Effect == Stale }

// Faults returns the known faults of an operator that [Of] accepts, with the kernels of a
// library. For an operator that never runs, it returns only the faults that occur in Prepare.
func Faults(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, runs bool, library *kernels.Library) (list []Finding) {
	k, code := kernel{m, s, o}, m.OperatorCodes[o.Code].Builtin
	for i := range known {
		row := &known[i]
		if !runs && row.Phase != Prepare || row.operators != nil && !slices.Contains(row.operators, code) || !row.builds(library) {
			continue
		}
		if why := row.why(k); why != "" {
			list = append(list, Finding{row, why})
		}
	}
	return list
}

// known is the table of known faults.
var known = append(append(append(referenceFaults, operandFaults...), cmsisFaults...), espFaults...)

// The families of kernel libraries.
const (
	familyReference = "reference"
	familyCMSIS     = "cmsis-nn"
	familyESP       = "esp-nn"
)

// everywhere selects every library: operators that no library replaces, and checks that all
// share.
func everywhere(*kernels.Library) bool { return true }

// family selects every build of a family.
//
//go:noinline
func family(name string) func(*kernels.Library) bool {
	return func(l *kernels.Library) bool { return l.Family == name }
}

// variants selects some builds of a family.
//
//go:noinline
func variants(name string, list ...string) func(*kernels.Library) bool {
	return func(l *kernels.Library) bool { return l.Family == name && slices.Contains(list, l.Variant) }
}

// except selects every library except one family.
func except(name string) func(*kernels.Library) bool {
	return func(l *kernels.Library) bool { return l.Family != name }
}

// releases are those of some builds from one on, until another one that is without the fault.
func releases(from, until string, of func(*kernels.Library) bool) func(*kernels.Library) bool {
	return func(l *kernels.Library) bool {
		return of(l) && slices.Compare(numbers(l.Version), numbers(from)) >= 0 && slices.Compare(numbers(l.Version), numbers(until)) < 0
	}
}

// numbers returns the numbers of a release such as "1.2.3".
func numbers(version string) (list []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part) // the versions in this package and in the registry are numbers
		list = append(list, n)
	}
	return list
}
