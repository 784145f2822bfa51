package verify

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// permit returns the reason why two tensors may share memory although both are live, or "".
type permit func(v *verifier, p, q pinned) string

// permits are the known reasons, each with the law it is reported under and the lowest --alias
// that permits the same (nil if none does). Add a reason as a function here.
var permits = []struct {
	law   Law
	why   permit
	alias func(v *verifier, p, q pinned) rules.Alias
}{
	{LawTakeover, inPlaceOutput, inPlaceAlias},
	{LawTakeover, consumed, consumedAlias},
	{LawTakeover, overlappingOutput, overlappingOutputAlias},
	{LawOverlap, insideCustom, nil},
	{LawOverlap, customScratch, nil},
}

// inPlaceOutput permits an output in the buffer of an input of its operator if the kernel reads no
// byte after writing it, or if both have equal content there. Variables are excluded, since the
// next run reads them.
func inPlaceOutput(v *verifier, p, q pinned) string {
	if p.variable || q.variable {
		return ""
	}
	if v.takeovers == nil {
		v.takeovers = map[takeover]string{}
		places := v.view.Usage.Places
		for _, t := range v.view.Takeovers(rules.OverwriteAlias) {
			v.takeovers[takeover{places[t.From], places[t.To], t.Offset}] = t.Why
		}
	}
	a := lifetime.Place{Subgraph: p.subgraph, Tensor: p.tensor}
	b := lifetime.Place{Subgraph: q.subgraph, Tensor: q.tensor}
	return cmp.Or(v.takeovers[takeover{a, b, q.Start - p.Start}], v.takeovers[takeover{b, a, p.Start - q.Start}])
}

// takeover places the start of one tensor inside another, at an offset in bytes.
type takeover struct {
	from, to lifetime.Place
	offset   int64
}

// consumed permits a tensor in bytes of another that are not read any more.
func consumed(v *verifier, p, q pinned) string {
	if p.variable || q.variable {
		return ""
	}
	if v.remaining == nil {
		v.remaining = map[lifetime.Place]lifetime.Record{}
		for i, r := range v.view.Remaining(rules.OverwriteAlias) {
			v.remaining[v.view.Usage.Places[i]] = r
		}
	}
	r, s := v.remaining[lifetime.Place{Subgraph: p.subgraph, Tensor: p.tensor}], v.remaining[lifetime.Place{Subgraph: q.subgraph, Tensor: q.tensor}]
	if lifetime.Meet(r, s, p.Start, q.Start) {
		return ""
	}
	return "one is read slice by slice, and the other takes only what has been read for the last time"
}

// overlappingOutput permits an output to overlap an input that dies at its operator, at the distance that
// the kernel requires.
func overlappingOutput(v *verifier, p, q pinned) string {
	o, from, to := v.overlap(p, q)
	if o == nil || from.Start-to.Start < o.Distance {
		return ""
	}
	return o.Why
}

// missing describes how many bytes of distance are missing between two tensors that may
// overlap, or returns "".
func (v *verifier) missing(p, q pinned) string {
	o, from, to := v.overlap(p, q)
	if o == nil {
		return ""
	}
	distance := from.Start - to.Start
	return fmt.Sprintf("; it would be right if %s began at least %s before %s, not %s: %s are missing (%s)",
		to.ID, units.ExactBytes(o.Distance), from.ID, units.ExactBytes(distance), units.ExactBytes(o.Distance-distance), o.Why)
}

// overlap returns the overlap that permits two tensors to share bytes, or nil, and which of
// them is its input and which its output.
func (v *verifier) overlap(p, q pinned) (o *lifetime.Overlap, from, to pinned) {
	if p.variable || q.variable {
		return nil, p, q
	}
	if v.overlaps == nil {
		v.overlaps = v.overlapsOf(v.overlapAlias())
	}
	a := lifetime.Place{Subgraph: p.subgraph, Tensor: p.tensor}
	b := lifetime.Place{Subgraph: q.subgraph, Tensor: q.tensor}
	if o = v.overlaps[[2]lifetime.Place{a, b}]; o != nil {
		return o, p, q
	}
	return v.overlaps[[2]lifetime.Place{b, a}], q, p
}

// overlapsOf returns the overlaps permitted by a level of --alias, by input and output.
func (v *verifier) overlapsOf(a rules.Alias) map[[2]lifetime.Place]*lifetime.Overlap {
	list, places := map[[2]lifetime.Place]*lifetime.Overlap{}, v.view.Usage.Places
	for _, o := range v.view.Overlaps(a) {
		list[[2]lifetime.Place{places[o.From], places[o.To]}] = &o
	}
	return list
}

// insideCustom permits overlaps inside one custom operator: both tensors are its operands, and
// its position is the only one at which both are in use. The vendor's kernel and compiler
// decide.
func insideCustom(v *verifier, p, q pinned) string {
	first, last := max(p.content, q.content), min(p.Last, q.Last)
	if p.variable || q.variable || first != last || first < 1 || first >= len(v.view.Usage.Steps) {
		return ""
	}
	op := v.custom(v.view.Usage.Steps[first])
	if op == nil || p.subgraph != q.subgraph || !v.operand(op, p) || !v.operand(op, q) {
		return ""
	}
	return fmt.Sprintf("both belong to the custom operator %q alone", op.Name)
}

// customScratch permits overlaps with scratch of custom operators: compilers for other
// processors declare their whole memory as an input without a producer, with tensors of other
// operators inside. Only the vendor knows which bytes are used.
func customScratch(v *verifier, p, q pinned) string {
	for _, x := range []pinned{p, q} {
		if x.scratch {
			return fmt.Sprintf("tensor %s is scratch of custom operators, made by none, and only their maker knows which bytes they use", x.ID)
		}
	}
	return ""
}

// markScratch finds scratch tensors and sets the position from which every tensor's content
// matters; for scratch that is its first reader.
func (v *verifier) markScratch() {
	step := map[lifetime.Step]int{}
	for i, s := range v.view.Usage.Steps {
		if _, known := step[s]; !known {
			step[s] = i
		}
	}
	for i := range v.pinned {
		p := &v.pinned[i]
		p.content = p.First
		if p.scratch = v.scratch(*p); p.scratch {
			reader := v.model.Subgraphs[p.subgraph].Tensors[p.tensor].Consumers[0]
			p.content = max(p.First, step[lifetime.Step{Subgraph: p.subgraph, Operator: reader}])
		}
	}
}

// scratch reports whether a tensor has no producer and only custom operators read it.
func (v *verifier) scratch(p pinned) bool {
	s := &v.model.Subgraphs[p.subgraph]
	t := &s.Tensors[p.tensor]
	if t.Variable || t.Input || t.Output || t.Producer >= 0 || len(t.Consumers) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.Consumers, func(i int) bool { return !v.isCustom(&s.Operators[i]) })
}

func (v *verifier) isCustom(op *tflite.Operator) bool {
	return v.model.OperatorCodes[op.Code].Builtin == schema.BuiltinOperatorCUSTOM
}

// custom returns the custom operator that runs at a step, or nil.
func (v *verifier) custom(step lifetime.Step) *tflite.Operator {
	if step.Operator < 0 {
		return nil
	}
	op := &v.model.Subgraphs[step.Subgraph].Operators[step.Operator]
	if !v.isCustom(op) {
		return nil
	}
	return op
}

// operand reports whether the operator reads or writes a tensor of its subgraph.
func (v *verifier) operand(op *tflite.Operator, p pinned) bool {
	t := &v.model.Subgraphs[p.subgraph].Tensors[p.tensor]
	_, reads := slices.BinarySearch(t.Consumers, op.Index)
	return reads || t.Producer == op.Index
}
