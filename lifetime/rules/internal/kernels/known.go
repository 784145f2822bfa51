package kernels

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
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
	builds func(l *Library) bool
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
	why func(k *Kernel) string
}

// A Finding is a known fault of an operator.
type Finding struct {
	*Known
	// Reason is a predicate about the operator: "ignores its fused activation RELU6".
	Reason string
}

// Warns reports whether the finding is a warning rather than a failure.
func (f Finding) Warns() bool { return f.Evidence != Run || f.Effect == Stale }

// KnownFaults returns the known faults of an operator that [Refusal] accepts, with the kernels of a
// library. For an operator that never runs, it returns only the faults that occur in Prepare.
func KnownFaults(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, runs bool, library *Library) (list []Finding) {
	k, code := &Kernel{model: m, sub: s, op: o}, m.OperatorCodes[o.Code].Builtin
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
var known = func() (rows []Known) {
	for _, p := range projects {
		rows = append(rows, p.faults...)
	}
	return rows
}()

// everywhere selects every library: operators that no library replaces, and checks that all
// share.
func everywhere(*Library) bool { return true }

// family selects every build of a family.
//
//go:noinline
func family(name string) func(*Library) bool {
	return func(l *Library) bool { return l.Family == name }
}

// variants selects some builds of a family.
//
//go:noinline
func variants(name string, list ...string) func(*Library) bool {
	return func(l *Library) bool { return l.Family == name && slices.Contains(list, l.Variant) }
}

// except selects every library except one family.
func except(name string) func(*Library) bool {
	return func(l *Library) bool { return l.Family != name }
}

// releases selects releases of some builds: from inclusive, until exclusive.
func releases(from, until string, of func(*Library) bool) func(*Library) bool {
	return func(l *Library) bool {
		return of(l) && slices.Compare(numbers(l.Version), numbers(from)) >= 0 && slices.Compare(numbers(l.Version), numbers(until)) < 0
	}
}

// through selects releases of some builds up to last, inclusive.
func through(last string, of func(*Library) bool) func(*Library) bool {
	return func(l *Library) bool { return of(l) && slices.Compare(numbers(l.Version), numbers(last)) <= 0 }
}

// numbers returns the numbers of a release such as "1.2.3".
func numbers(version string) (list []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part) // the versions in this package and in the registry are numbers
		list = append(list, n)
	}
	return list
}

// Conditions of rows.

// given adds a text to a condition.
//
//go:noinline
func given(holds func(*Kernel) bool, text string) condition {
	return func(k *Kernel) string {
		if holds(k) {
			return text
		}
		return ""
	}
}

// groups holds for a convolution with several groups; %d in text is their number.
//
//go:noinline
func groups(text string) condition {
	return func(k *Kernel) string {
		all, one := Dim(k.input(0), 3), Dim(k.input(1), 3)
		if one <= 0 || one >= all {
			return ""
		}
		return fmt.Sprintf(text, all/one)
	}
}

// perChannelWeights holds for weights with several scales; %d in text is their number.
func perChannelWeights(text string) condition {
	return func(k *Kernel) string {
		if n := quantumOf(k.input(1)).scales; n > 1 {
			return fmt.Sprintf(text, n)
		}
		return ""
	}
}

// rankAbove holds if an operand has more than most dimensions; %d in text is their number.
//
//go:noinline
func rankAbove(most int, text string, list ...operand) condition {
	return func(k *Kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && len(t.Shape) > most {
				return fmt.Sprintf(text, len(t.Shape))
			}
		}
		return ""
	}
}

// A sliding is the geometry of a convolution: its window, and the height and width of its input and
// output.
type sliding struct {
	window  op.Window
	in, out [2]int64
}

func (g sliding) dilated() bool { return g.window.Dilation != [2]int64{1, 1} }

// sliding returns the geometry of a convolution whose data is input 0, or false if unavailable.
func (k *Kernel) sliding() (g sliding, ok bool) { return k.slidingOf(0) }

func (k *Kernel) slidingOf(data int) (g sliding, ok bool) {
	x, y := k.input(data), k.output(0)
	if x == nil || y == nil || len(x.Shape) != 4 || len(y.Shape) != 4 {
		return g, false
	}
	g.window, ok = op.WindowOf(k.model, k.sub, k.op)
	for axis := range 2 {
		g.in[axis], g.out[axis] = Dim(x, axis+1), Dim(y, axis+1)
		ok = ok && g.window.Stride[axis] > 0 && g.window.Kernel[axis] > 0
	}
	return g, ok
}

// total is the SAME padding along an axis, both sides together, and before the padding on the
// first side.
func (g sliding) total(axis int) int64 {
	if g.window.Padding != schema.PaddingSAME {
		return 0
	}
	return max(0, (g.out[axis]-1)*g.window.Stride[axis]+(g.window.Kernel[axis]-1)*g.window.Dilation[axis]+1-g.in[axis])
}

func (g sliding) before(axis int) int64 { return g.total(axis) / 2 }
