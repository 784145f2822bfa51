package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Alias says which outputs may take over an input's memory.
type Alias string

const (
	// NoAlias permits no takeover.
	NoAlias Alias = "off"
	// SafeAlias permits the takeovers of operators that only copy. It is right for
	// TensorFlow Lite Micro's own kernels: bytes that are copied onto themselves stay as
	// they are.
	SafeAlias Alias = "safe"
	// ElementwiseAlias also permits those of element-wise operators without broadcasting,
	// whose reference kernels read an element before they write it, and of PAD, which
	// writes behind what it reads. Optimised kernel libraries do not promise that.
	ElementwiseAlias Alias = "elementwise"
	// OverwriteAlias also permits overwriting a tensor that is read slice by slice, from
	// its first slice on, where no later slice reads; see [View.Remaining].
	OverwriteAlias Alias = "overwrite"
	// DiagonalAlias also permits an output to overlap an input that dies with the operator,
	// as far as the kernel has read it by then; see [View.Overlaps]. That is right for the
	// reference kernels of TensorFlow Lite Micro. It is wrong with other kernels, which
	// go through tensors in orders of their own.
	DiagonalAlias Alias = "diagonal"
	// UnmeasuredAlias also permits overlaps where only the source of a kernel tells in which
	// order it reads and writes: no run has shown that the outputs stay the same.
	UnmeasuredAlias Alias = "unmeasured"
)

// Aliases returns the values of [Alias] that commands choose from by themselves, the default
// first. Each permits all that those before it permit.
func Aliases() []Alias {
	return []Alias{NoAlias, SafeAlias, ElementwiseAlias, OverwriteAlias, DiagonalAlias}
}

// AllAliases returns the same and [UnmeasuredAlias], which a user has to name.
func AllAliases() []Alias { return append(Aliases(), UnmeasuredAlias) }

// UpTo returns the values of [AllAliases] up to a, which are what a permits and all that is less:
// only the first for a value that is unknown.
func (a Alias) UpTo() []Alias {
	all := AllAliases()
	return all[:max(slices.Index(all, a), 0)+1]
}

// elements reports whether kernels count that go element by element.
func (a Alias) elements() bool { return a == ElementwiseAlias || a.Overwrites() }

// Overwrites reports whether a tensor may be overwritten slice by slice, as [View.Remaining] says.
func (a Alias) Overwrites() bool { return a == OverwriteAlias || a.Overlaps() }

// Overlaps reports whether an output may lie over a part of an input, as [View.Overlaps] says.
func (a Alias) Overlaps() bool { return a == DiagonalAlias || a == UnmeasuredAlias }

// InPlace reports whether an operator of this kind may write its output over an input that
// dies with the operator and has the same shape and element size; for PAD and PADV2, where
// the two end together.
func (a Alias) InPlace(code schema.BuiltinOperator) bool {
	switch SharingOf(code) {
	case Copying:
		return a == SafeAlias || a.elements()
	case Padding, Computing:
		return a.elements()
	}
	return false
}

// Takeovers returns which of the view's records may lie where another record lies, in the
// order of operators. The output of an operator that copies may lie on its input, within it
// or around it, at the bytes that are copied, because both hold the same there. The output
// of an operator that computes may lie on an input that dies with the operator and has the
// same size, or, for PAD, the same end. Rule sets other than TensorFlow Lite Micro's have
// no takeovers: no other runtime lets a file decide where tensors lie.
func (v *View) Takeovers(a Alias) []lifetime.Takeover {
	if a == NoAlias || !v.Rules.IsMicro() {
		return nil
	}
	w := newTakeovers(v, a)
	for position, step := range v.Usage.Steps {
		if w.sharable(step) {
			w.operator(step, position)
		}
	}
	return w.list
}

// sharable reports whether outputs of an operator may share memory with its inputs: an operator that
// runs several times has tensors that live in between.
func (w *takeovers) sharable(step lifetime.Step) bool {
	return step.Operator >= 0 && w.entered[step.Subgraph] == 1 && !w.untouched[step]
}

// takeovers collects what may be taken over.
type takeovers struct {
	*View
	untouched map[lifetime.Step]bool
	alias     Alias
	record    map[lifetime.Place]int
	// entered counts how often each subgraph is run.
	entered map[int]int
	// made counts how often each tensor is written. What is written again, while others
	// that hold the same lie there, changes under their feet.
	made map[lifetime.Place]int
	// calls are the subgraphs that run inside operators, as far as there are any.
	calls map[lifetime.Step][]int
	list  []lifetime.Takeover
	// known are those of the list that were added by add.
	known map[lifetime.Takeover]bool
}

func newTakeovers(v *View, a Alias) *takeovers {
	w := &takeovers{View: v, untouched: v.Untouched(), alias: a, record: map[lifetime.Place]int{}, entered: map[int]int{}, made: map[lifetime.Place]int{}, calls: map[lifetime.Step][]int{}, known: map[lifetime.Takeover]bool{}}
	for i, at := range v.Usage.Places {
		w.record[at] = i
	}
	for _, step := range v.Usage.Steps {
		if step.Operator < 0 {
			w.entered[step.Subgraph]++
		}
	}
	for s := range v.Graph.Subgraphs {
		w.count(s, v.Graph.Subgraphs[s].Inputs)
		for _, op := range v.Graph.Subgraphs[s].Operators {
			w.count(s, op.Outputs)
			if len(op.Calls) > 0 {
				w.calls[lifetime.Step{Subgraph: s, Operator: op.Index}] = op.Calls
			}
		}
	}
	return w
}

func (w *takeovers) count(subgraph int, written []int) {
	for _, t := range written {
		w.made[lifetime.Place{Subgraph: subgraph, Tensor: t}]++
	}
}

// operator adds what the outputs of an operator may take over.
func (w *takeovers) operator(step lifetime.Step, position int) {
	op := &w.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
	code := w.Model.OperatorCodes[op.Code].Builtin
	switch kind, of := sharing(w.Rules.Kernels, code, &w.Model.Subgraphs[step.Subgraph], op); {
	case kind == Branching:
		w.branches(step, op, position)
	case len(op.Inputs) == 0 || len(op.Outputs) != 1 || op.Outputs[0] < 0:
	case kind == Copying && !(code == schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE && w.kept(step.Subgraph, op.Inputs[0])):
		w.pair(step, op.Inputs[0], op.Outputs[0], position, "%s only copies")
	case kind == Joining:
		w.joined(step, op)
	case kind == Taking:
		w.sliced(step, op)
	case kind == Padding && w.alias.elements():
		w.padded(step, op, position)
	case kind == Computing && w.alias.elements() && w.alike(step.Subgraph, op):
		for _, in := range op.Inputs {
			if !w.kept(step.Subgraph, in) {
				w.pair(step, in, op.Outputs[0], position, "%s is element-wise, "+inKernels(of))
			}
		}
	}
}

// pair adds a takeover where the input dies and the output begins at the position.
func (w *takeovers) pair(step lifetime.Step, in, out, position int, why string) {
	from, ok := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: in}]
	to, also := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: out}]
	records := w.Records()
	if !ok || !also || from == to || records[from].Last != position || records[to].First != position {
		return
	}
	w.add(step, from, to, why)
}

func (w *takeovers) add(step lifetime.Step, from, to int, why string) {
	t := lifetime.Takeover{From: from, To: to, Why: fmt.Sprintf(why, w.name(step))}
	if records := w.Records(); records[from].Size == records[to].Size && !w.known[t] {
		w.known[t] = true
		w.list = append(w.list, t)
	}
}

// kept reports whether a tensor is an output of its subgraph: its contents are wanted when
// all operators have run, though its record ends with the last of them.
func (w *takeovers) kept(subgraph, tensor int) bool {
	return tensor >= 0 && w.Model.Subgraphs[subgraph].Tensors[tensor].Output
}

// name is what messages call an operator.
func (w *takeovers) name(step lifetime.Step) string {
	op := w.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
	return fmt.Sprintf("operator %d:%d %s", step.Subgraph, step.Operator, w.Model.OperatorCodes[op.Code].Name())
}

// alike reports whether an operator reads and writes tensors of one shape and one
// element width alone, so that it broadcasts nothing.
func (w *takeovers) alike(subgraph int, op *tflite.Operator) bool {
	tensors := w.Model.Subgraphs[subgraph].Tensors
	out := &tensors[op.Outputs[0]]
	for _, in := range op.Inputs {
		if in < 0 || !slices.Equal(tensors[in].Shape, out.Shape) || w.Rules.sizes(tensors[in].Type) != w.Rules.sizes(out.Type) {
			return false
		}
	}
	return true
}

// branches adds the copies of an IF: into the inputs of a branch, whose memory those of
// the operator leave to it, and from the outputs of a branch into those of the operator,
// which nothing has written before. Only one branch runs.
func (w *takeovers) branches(step lifetime.Step, op *tflite.Operator, position int) {
	end := position + w.inside(w.calls[step])
	for _, callee := range op.Subgraphs {
		if callee >= len(w.Model.Subgraphs) || w.entered[callee] != 1 {
			continue
		}
		branch := &w.Model.Subgraphs[callee]
		for i, in := range branch.Inputs {
			if i+1 < len(op.Inputs) {
				w.branch(step, position, end, op.Inputs[i+1], callee, in)
			}
		}
		for i, out := range branch.Outputs {
			if i < len(op.Outputs) {
				w.branch(step, position, end, op.Outputs[i], callee, out)
			}
		}
	}
}

// branch adds a takeover of a tensor of the caller by one of the branch, which lives
// within it. The IF runs from position first to last. What the caller reads later is not
// taken over, as the branch may write over it.
func (w *takeovers) branch(step lifetime.Step, first, last, outer, callee, inner int) {
	from, ok := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: outer}]
	to, also := w.record[lifetime.Place{Subgraph: callee, Tensor: inner}]
	records := w.Records()
	if !ok || !also || w.made[lifetime.Place{Subgraph: callee, Tensor: inner}] > 1 || records[to].First < records[from].First || records[to].Last > records[from].Last ||
		records[from].First != first && records[from].Last != last {
		return
	}
	w.add(step, from, to, "%s only copies")
}
