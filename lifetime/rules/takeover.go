package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Alias is the level of memory sharing between inputs and outputs.
type Alias string

const (
	// NoAlias permits no in-place outputs.
	NoAlias Alias = "off"
	// SafeAlias permits in-place outputs of operators that only copy. It is safe for TensorFlow
	// Lite Micro's own kernels: copying bytes onto themselves does not change them.
	SafeAlias Alias = "safe"
	// ElementwiseAlias also permits in-place outputs of element-wise operators without
	// broadcasting, whose reference kernels read an element before they write it, and of PAD,
	// which writes after what it reads. Optimised kernel libraries do not guarantee this.
	ElementwiseAlias Alias = "elementwise"
	// OverwriteAlias also permits overwriting a tensor that is read slice by slice, from its
	// first slice on, outside the bytes that later slices read; see [View.Remaining].
	OverwriteAlias Alias = "overwrite"
	// DiagonalAlias also permits an output to overlap the part of a dying input that the kernel
	// has already read; see [View.Overlaps]. This is safe for the reference kernels of
	// TensorFlow Lite Micro. It is wrong with other kernels, whose access orders differ.
	DiagonalAlias Alias = "diagonal"
	// UnmeasuredAlias also permits overlaps of kernels whose access order is known only from
	// their source: no run has confirmed that the outputs are unchanged.
	UnmeasuredAlias Alias = "unmeasured"
)

// Aliases returns the values of [Alias] that commands choose from automatically, the default
// first. Each permits everything that the previous ones permit.
func Aliases() []Alias {
	return []Alias{NoAlias, SafeAlias, ElementwiseAlias, OverwriteAlias, DiagonalAlias}
}

// AllAliases returns [Aliases] and [UnmeasuredAlias], which a user must select.
func AllAliases() []Alias { return append(Aliases(), UnmeasuredAlias) }

// UpTo returns the values of [AllAliases] up to a: only the first for an unknown value.
func (a Alias) UpTo() []Alias {
	all := AllAliases()
	return all[:max(slices.Index(all, a), 0)+1]
}

// elements reports whether element-wise kernels may compute in place.
func (a Alias) elements() bool { return a == ElementwiseAlias || a.Overwrites() }

// Overwrites reports whether a tensor may be overwritten slice by slice; see [View.Remaining].
func (a Alias) Overwrites() bool { return a == OverwriteAlias || a.Overlaps() }

// Overlaps reports whether an output may overlap a part of an input; see [View.Overlaps].
func (a Alias) Overlaps() bool { return a == DiagonalAlias || a == UnmeasuredAlias }

// InPlace reports whether an operator of this kind may write its output over an input that dies
// with the operator and has the same shape and element size; for PAD and PADV2, if both end at
// the same byte.
func (a Alias) InPlace(code schema.BuiltinOperator) bool {
	switch SharingOf(code) {
	case Copying:
		return a == SafeAlias || a.elements()
	case Padding, Computing:
		return a.elements()
	}
	return false
}

// Takeovers returns the pairs of records that may share memory, in the order of operators. The
// output of a copying operator may be placed on its input, inside it or around it, at the
// copied bytes, because both hold the same there. The output of a computing operator may be
// placed on an input that dies with the operator and has the same size, or, for PAD, the same
// end. The result is empty for rule sets other than TensorFlow Lite Micro's: no other runtime
// lets a file determine tensor offsets.
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

// sharable reports whether outputs of an operator may share memory with its inputs. If an
// operator runs several times, its tensors live in between.
func (w *takeovers) sharable(step lifetime.Step) bool {
	return step.Operator >= 0 && w.entered[step.Subgraph] == 1 && !w.untouched[step]
}

// takeovers collects the permitted sharing.
type takeovers struct {
	*View
	untouched map[lifetime.Step]bool
	alias     Alias
	record    map[lifetime.Place]int
	// entered counts the runs of each subgraph.
	entered map[int]int
	// made counts the writes of each tensor. Writing a tensor twice would clobber others that
	// share its bytes.
	made map[lifetime.Place]int
	// calls holds the subgraphs that run inside operators.
	calls map[lifetime.Step][]int
	list  []lifetime.Takeover
	// anyOrder treats each input as if it died with the operator, as it may in another order.
	anyOrder bool
	// known is the set of list entries added by add.
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

// operator adds the sharing permitted for an operator's outputs.
func (w *takeovers) operator(step lifetime.Step, position int) {
	op := &w.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
	code := w.Model.OperatorCodes[op.Code].Builtin
	switch kind, own := w.Rules.kernels().Sharing(code, &w.Model.Subgraphs[step.Subgraph], op); {
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
				w.pair(step, in, op.Outputs[0], position, "%s is element-wise, "+inKernels(w.Rules.KernelLibrary(), own))
			}
		}
	}
}

// pair adds a takeover if the input dies and the output begins at the position.
func (w *takeovers) pair(step lifetime.Step, in, out, position int, why string) {
	from, ok := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: in}]
	to, also := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: out}]
	records := w.Records()
	if !ok || !also || from == to || !w.dies(from, position) || records[to].First != position {
		return
	}
	w.add(step, from, to, why)
}

// dies reports whether a record ends at a position, or may end there in another order.
func (w *takeovers) dies(record, position int) bool {
	return w.anyOrder || w.Records()[record].Last == position
}

func (w *takeovers) add(step lifetime.Step, from, to int, why string) {
	t := lifetime.Takeover{From: from, To: to, Why: fmt.Sprintf(why, w.name(step))}
	if records := w.Records(); records[from].Size == records[to].Size && !w.known[t] {
		w.known[t] = true
		w.list = append(w.list, t)
	}
}

// kept reports whether a tensor is an output of its subgraph: its contents are needed after all
// operators have run, though its record ends with the last of them.
func (w *takeovers) kept(subgraph, tensor int) bool {
	return tensor >= 0 && w.Model.Subgraphs[subgraph].Tensors[tensor].Output
}

// name returns the operator's name in messages.
func (w *takeovers) name(step lifetime.Step) string {
	op := w.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
	return fmt.Sprintf("operator %d:%d %s", step.Subgraph, step.Operator, w.Model.OperatorCodes[op.Code].Name())
}

// alike reports whether an operator reads and writes only tensors of one shape and element
// width, so that it does not broadcast.
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

// branches adds the copies of an IF: from the operator's inputs to the inputs of a branch,
// which may use their memory, and from the outputs of a branch to the operator's outputs, which
// nothing has written before. Only one branch runs.
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

// branch adds a takeover between a tensor of the caller and a tensor of the branch, which lives
// within it. The IF runs from position first to last. A tensor that the caller reads later is
// not reused, because the branch may overwrite it.
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
