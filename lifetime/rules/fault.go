package rules

import (
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A FaultKind classifies a fault by its effect.
type FaultKind string

// The kinds of faults, the most serious first.
const (
	// DoesNotRun is a model that AllocateTensors or Invoke rejects, crashes on or never returns
	// from.
	DoesNotRun FaultKind = "does-not-run"
	// WrongResults is a kernel that miscomputes, leaves a part of its output unwritten, or
	// accesses memory outside its buffers.
	WrongResults FaultKind = "wrong-results"
	// OldMemory is an output that depends on the previous contents of the arena.
	OldMemory FaultKind = "old-memory"
)

// A Phase is the point at which a runtime rejects a model.
type Phase string

// The phases, in chronological order.
const (
	// NoKernel is the lookup of an operator's kernel.
	NoKernel Phase = "no kernel"
	// Prepare is the kernel's own preparation, which is part of AllocateTensors.
	Prepare Phase = "Prepare"
	// Planning is the last part of AllocateTensors, which sizes and plans tensors.
	Planning Phase = "planning"
	// Eval is the first run. The model is allocated by then, and its arena has its final size.
	Eval Phase = "Eval"
)

var phases = map[kernels.Phase]Phase{kernels.NoKernel: NoKernel, kernels.Prepare: Prepare, kernels.Eval: Eval}

// A Fault is a known problem when TensorFlow Lite Micro runs a model.
type Fault struct {
	// Kind is the effect, Phase the point at which it occurs.
	Kind  FaultKind
	Phase Phase
	// Fails reports whether a check of the model fails. It is false for faults that occur only
	// in builds with assertions, that are at most one output step large, or that were observed
	// in no run of the kernel.
	Fails bool
	// Subgraph and Operator are indexes. Operator is -1 if no single operator is at fault.
	Subgraph, Operator int
	// Name is the name of the operator, such as "CONV_2D", or the custom code.
	Name string
	// Library and Versions identify the faulty code: "CMSIS-NN", "4ab83cc3 to 99f736a".
	Library, Versions string
	// Reason is the condition, as the predicate of a sentence about the operator.
	Reason string
	// Limits is the reason why a warning does not fail a check, "" otherwise.
	Limits string
	// Source is the file and line in the library's repository, or an issue; "" for operands
	// that kernels check and reject.
	Source string
	// Custom reports that only the kernel of a custom operator is missing, which an application
	// can register.
	Custom bool
	// Inlinable reports that only constants behind the flatbuffer are missing, which can be moved
	// into it.
	Inlinable bool
}

// Place names the operator: "operator 0:3 CONV_2D", or the subgraph.
func (f Fault) Place() string {
	if f.Operator < 0 {
		return fmt.Sprintf("subgraph %d", f.Subgraph)
	}
	return fmt.Sprintf("operator %d:%d %s", f.Subgraph, f.Operator, f.Name)
}

func (f Fault) String() string { return fmt.Sprintf("%s: %s", f.Place(), f.text("")) }

// text returns the reason with its phase or library; more is added in parentheses.
func (f Fault) text(more string) string {
	text, details := f.Reason, string(f.Phase)
	if f.Source != "" {
		details = fmt.Sprintf("%s %s, %s", f.Library, f.Versions, f.Source)
	}
	if f.Limits != "" {
		text += "; " + f.Limits
	}
	return fmt.Sprintf("%s (%s%s)", text, details, more)
}

// Stops reports whether the fault prevents the model from running, even with an application's
// kernels.
func (f Fault) Stops() bool { return f.Fails && f.Kind == DoesNotRun }

// Assertions reports whether only builds with assertions have the fault.
func (f Fault) Assertions() bool { return f.Limits == limits[kernels.Assertions] }

// LeavesUntouched reports whether the outputs of the operator depend on its kernel's faulty
// behaviour, so that other tiles, buffers or offsets would change its results.
func (f Fault) LeavesUntouched() bool {
	return f.Operator >= 0 && (f.Fails && f.Kind == WrongResults || f.Kind == OldMemory)
}

// Faults returns the known problems of a model on TensorFlow Lite Micro, with the kernels and
// the decompression memory of the rules, in the order of the operators; the list is empty for a
// model that runs correctly. An unknown library means the reference kernels. An unmodelled release has
// the faults that all releases of its library share, and those whose range of versions includes it. A rejected operator has only
// that fault.
//
// Faults finds the problems that are visible in the file: operators without a kernel, operands
// that a kernel rejects, and the conditions in the table of known faults. It does not find
// these:
//
//   - values that a kernel rejects when it reads them: a division by zero, a computed index
//     out of range, the root of a negative number;
//   - types in the options of the signal operators;
//   - a broken embedded memory plan, which package rewrite/verify checks;
//   - a branch of IF or a loop that never runs: its faults are reported nevertheless.
//
// The time is linear in the size of the model.
func (r Rules) Faults(m *tflite.Model) []Fault {
	l := r.kernels()
	if l == kernels.Unknown {
		l = kernels.Reference
	}
	f := collector{rules: r, model: m, library: l, entered: reachable(m, 0), writers: map[int]bool{}}
	f.outside()
	for i := range m.Subgraphs {
		f.subgraph(&m.Subgraphs[i])
		if r.decompression > 0 {
			f.overwritten(&m.Subgraphs[i])
		}
	}
	f.uncalled()
	sort.SliceStable(f.list, func(i, j int) bool {
		a, b := &f.list[i], &f.list[j]
		return a.Subgraph < b.Subgraph || a.Subgraph == b.Subgraph && a.Operator < b.Operator
	})
	return f.list
}

// Faults returns [Rules.Faults] for views of TensorFlow Lite Micro. It returns nothing for
// other runtimes, whose kernels are not modelled. The list must not be modified.
func (v *View) Faults() []Fault {
	if !v.Rules.IsMicro() {
		return nil
	}
	return v.faults()
}

// Untouched returns the operators of [Fault.LeavesUntouched].
func (v *View) Untouched() map[lifetime.Step]bool {
	steps := map[lifetime.Step]bool{}
	for _, f := range v.Faults() {
		if f.LeavesUntouched() {
			steps[lifetime.Step{Subgraph: f.Subgraph, Operator: f.Operator}] = true
		}
	}
	return steps
}

// Introduced returns the failing faults of a rewritten model that no operator of the same name
// has in the original.
func Introduced(before, after []Fault) (introduced []Fault) {
	type class struct {
		kind         FaultKind
		name, source string
	}
	of := func(f Fault) class { return class{f.Kind, f.Name, f.Source} }
	had := map[class]bool{}
	for _, f := range Failing(before) {
		had[of(f)] = true
	}
	for _, f := range Failing(after) {
		if !had[of(f)] {
			introduced = append(introduced, f)
		}
	}
	return introduced
}

// Failing returns the faults that fail a check of a model.
func Failing(list []Fault) (failing []Fault) {
	for _, f := range list {
		if f.Fails {
			failing = append(failing, f)
		}
	}
	return failing
}

// Stop returns the faults that prevent a model from running.
func Stop(list []Fault) (stops []Fault) {
	for _, f := range list {
		if f.Stops() {
			stops = append(stops, f)
		}
	}
	return stops
}

// A FaultGroup is the same fault of one or more operators.
type FaultGroup struct {
	First Fault
	Text  string
}

// Group merges faults with equal operators and reasons into sentences, in order of first
// occurrence: "CONV_2D: takes UINT8 (Prepare; 15 operators, the first is 0:3)".
func Group(list []Fault) (groups []FaultGroup) {
	type kind struct{ name, text string }
	count, first := map[kind]int{}, []Fault{}
	for _, f := range list {
		k := kind{f.Name, f.text("")}
		if count[k]++; count[k] == 1 {
			first = append(first, f)
		}
	}
	for _, f := range first {
		n := count[kind{f.Name, f.text("")}]
		if n == 1 || f.Operator < 0 {
			groups = append(groups, FaultGroup{f, f.String()})
			continue
		}
		groups = append(groups, FaultGroup{f, fmt.Sprintf("%s: %s", f.Name, f.text(fmt.Sprintf("; %d operators, the first is %d:%d", n, f.Subgraph, f.Operator)))})
	}
	return groups
}

// A collector collects the faults of a model.
type collector struct {
	rules   Rules
	model   *tflite.Model
	library *kernels.Library
	// entered marks the subgraphs that a run may enter: the others are prepared, not run.
	entered []bool
	// writers memoises decodes by subgraph.
	writers map[int]bool
	list    []Fault
}

// add adds a fault; it fills in the library and the version of the runtime.
func (fs *collector) add(f Fault) {
	if f.Library == "" {
		f.Library, f.Versions = kernels.Runtime, kernels.RuntimeVersion
	}
	fs.list = append(fs.list, f)
}

func (fs *collector) subgraph(s *tflite.Subgraph) {
	blocked := false
	scalars := *s // the runtime treats a tensor without a shape as a scalar
	scalars.Tensors = slices.Clone(s.Tensors)
	for i := range scalars.Tensors {
		scalars.Tensors[i].HasRank = true
	}
	written := make([]bool, len(s.Tensors))
	for i := range s.Operators {
		o := &s.Operators[i]
		if phase, reason := kernels.Refusal(fs.model, s, o, fs.entered[s.Index]); reason == "" {
			fs.known(&scalars, o)
			fs.unwritten(s, o, written)
		} else {
			custom := phase == kernels.NoKernel && fs.model.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorCUSTOM
			blocked = blocked || !custom
			fs.add(Fault{Kind: DoesNotRun, Fails: !custom, Subgraph: s.Index, Operator: i, Name: o.Name, Phase: phases[phase], Reason: reason, Custom: custom})
		}
		for _, k := range o.Outputs {
			if k >= 0 {
				written[k] = true
			}
		}
	}
	if !blocked {
		fs.tensors(s)
	}
}

// unwritten adds an operator that reads a tensor before it is written, so that its outputs
// depend on the arena's previous contents. written marks the tensors written by earlier
// operators. Custom operators are exempt: they may use an input as scratch, as Ethos-U does.
func (fs *collector) unwritten(s *tflite.Subgraph, o *tflite.Operator, written []bool) {
	if fs.model.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorCUSTOM || !fs.entered[s.Index] {
		return
	}
	for _, k := range o.Inputs {
		if k < 0 || written[k] {
			continue
		}
		if t := &s.Tensors[k]; !t.Input && !t.Variable && !t.Constant && kernels.Bytes(t) > 0 {
			fs.add(Fault{
				Kind: OldMemory, Subgraph: s.Index, Operator: o.Index, Name: o.Name, Phase: Eval,
				Reason: fmt.Sprintf("reads tensor %d before it is written", k),
			})
			return
		}
	}
}

// known adds the faults in the table for an operator.
func (fs *collector) known(s *tflite.Subgraph, o *tflite.Operator) {
	for _, k := range kernels.KnownFaults(fs.model, s, o, fs.entered[s.Index], fs.library) {
		fs.add(Fault{
			Kind: kindOf[k.Effect], Fails: !k.Warns(), Subgraph: s.Index, Operator: o.Index, Name: o.Name, Phase: phases[k.Phase],
			Library: k.Library, Versions: k.Versions, Reason: k.Reason, Limits: limits[k.Evidence], Source: k.Link,
		})
	}
}

var kindOf = map[kernels.Effect]FaultKind{
	kernels.Refuses: DoesNotRun, kernels.Crashes: DoesNotRun, kernels.Hangs: DoesNotRun,
	kernels.Miscomputes: WrongResults, kernels.Overruns: WrongResults, kernels.Unwritten: WrongResults,
	kernels.Stale: OldMemory,
}

var limits = map[kernels.Evidence]string{
	kernels.Assertions: "builds with NDEBUG run it correctly",
	kernels.Rounding:   "no value is off by more than one output step",
	kernels.Upstream:   "reproduced upstream, not here",
	kernels.Source:     "known from the source alone",
}

// outside finds constants that the runtime does not read but a run needs.
func (fs *collector) outside() {
	read, inlinable := 0, true
	for _, c := range fs.model.OutsideConstants() {
		if c.Read && fs.entered[c.Subgraph] {
			read++
			if c.OtherFile {
				inlinable = false
			}
		}
	}
	if read > 0 {
		fs.add(Fault{
			Kind: DoesNotRun, Fails: true, Operator: -1, Phase: Eval, Source: "tensorflow/lite/micro/micro_allocator.cc", Inlinable: inlinable,
			Reason: fmt.Sprintf("has %s outside the flatbuffer, which TensorFlow Lite Micro does not read", countOf(read, "constant")),
		})
	}
}

// uncalled adds the operators with scratch in subgraphs that no operator calls: the runtime
// gives their scratch a lifetime in a subgraph that it never visits.
func (fs *collector) uncalled() {
	kernels.Each(fs.model, kernels.Build{Library: fs.library, ABI: fs.library.Usual}, func(k *kernels.Kernel) {
		var asked scratchCount
		if k.Prepare(&asked); fs.entered[k.Subgraph] || asked == 0 {
			return
		}
		fs.add(Fault{
			Kind: DoesNotRun, Fails: true, Subgraph: k.Subgraph, Operator: k.Operator, Name: k.Name(), Phase: Planning,
			Reason: "requests scratch in a subgraph that no operator calls, which crashes AllocateTensors",
			Source: "tensorflow/lite/micro/micro_allocation_info.cc:225",
		})
	})
}

// scratchCount counts requests for scratch.
type scratchCount int

func (c *scratchCount) Temporary(*tflite.Tensor) {}
func (*scratchCount) Reads(kernels.Part)         {}
func (c *scratchCount) Keep(int64, int64)        {}
func (c *scratchCount) Scratch(int64)            { *c++ }

// tensors checks the tensors of a subgraph whose operators are supported or an application's,
// and reports the first problem.
func (fs *collector) tensors(s *tflite.Subgraph) {
	for i := range s.Tensors {
		t, phase, why := &s.Tensors[i], Planning, ""
		switch {
		case kernels.ElementBits(t.Type) == 0:
			why = fmt.Sprintf("tensor %d has the type %v, for which the runtime has no size", i, t.Type)
		case unknownDimension(t.Shape) && !fs.filled(s, t):
			why = fmt.Sprintf("tensor %d has the shape %v: the runtime has no dynamic dimensions", i, t.Shape)
		case table[0].wraps(t):
			phase = Eval
			why = fmt.Sprintf("tensor %d has the shape %v, more elements than the runtime counts in 32 bits: it reserves too little for them", i, t.Shape)
		default:
			continue
		}
		fs.add(Fault{Kind: DoesNotRun, Fails: true, Subgraph: s.Index, Operator: -1, Phase: phase, Reason: why})
		return
	}
}

// filled reports whether the producer's kernel fills in a tensor's unknown dimensions.
func (fs *collector) filled(s *tflite.Subgraph, t *tflite.Tensor) bool {
	if t.Producer < 0 {
		return false
	}
	o := &s.Operators[t.Producer]
	for i, out := range o.Outputs {
		if out == t.Index {
			return kernels.FillsIn(fs.model, s, o, i)
		}
	}
	return false
}

func unknownDimension(shape []int32) bool {
	for _, d := range shape {
		if d < 0 {
			return true
		}
	}
	return false
}

// reachable marks the subgraphs that a run starting in the given subgraph may enter.
func reachable(m *tflite.Model, from int) []bool {
	seen := make([]bool, len(m.Subgraphs))
	queue := []int{from}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s >= len(seen) || seen[s] {
			continue
		}
		seen[s] = true
		for i := range m.Subgraphs[s].Operators {
			queue = append(queue, m.Subgraphs[s].Operators[i].Subgraphs...)
		}
	}
	return seen
}

// countOf returns a number with a noun: "1 constant", "3 constants".
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
