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

// A permit says why two tensors may share memory although both are alive, or "".
type permit func(v *verifier, p, q pinned) string

// permits are the reasons there are, with the law that they are reported under, and the least --alias
// that permits the same, nil where none does. One more is one more function here.
var permits = []struct {
	law   Law
	why   permit
	alias func(v *verifier, p, q pinned) rules.Alias
}{
	{LawTakeover, takesOver, takeoverAlias},
	{LawTakeover, spent, spentAlias},
	{LawTakeover, trails, trailsAlias},
	{LawOverlap, insideCustom, nil},
	{LawOverlap, customScratch, nil},
}

// takesOver permits an output to lie where an input of its operator lies, where the
// operator's kernel reads no byte after it has written it, or both hold the same there.
// A variable is wanted by the next run.
func takesOver(v *verifier, p, q pinned) string {
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

// A takeover says that a tensor lies behind the beginning of another, by an offset in
// bytes.
type takeover struct {
	from, to lifetime.Place
	offset   int64
}

// spent permits a tensor to lie where another holds what nothing reads any more.
func spent(v *verifier, p, q pinned) string {
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

// trails permits an output to lie over an input that dies at its operator, as far behind it as
// the operator's kernel needs.
func trails(v *verifier, p, q pinned) string {
	o, from, to := v.overlap(p, q)
	if o == nil || from.Start-to.Start < o.Distance {
		return ""
	}
	return o.Why
}

// missing says by how many bytes two tensors are too near each other, where they may overlap.
func (v *verifier) missing(p, q pinned) string {
	o, from, to := v.overlap(p, q)
	if o == nil {
		return ""
	}
	distance := from.Start - to.Start
	return fmt.Sprintf("; it would be right if %s began at least %s before %s, not %s: %s are missing (%s)",
		to.ID, units.ExactBytes(o.Distance), from.ID, units.ExactBytes(distance), units.ExactBytes(o.Distance-distance), o.Why)
}

// overlap returns by which overlap two tensors may share bytes, nil for none, and which of them
// is its input and which its output.
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

// overlapsOf returns what a level of --alias permits, by input and output.
func (v *verifier) overlapsOf(a rules.Alias) map[[2]lifetime.Place]*lifetime.Overlap {
	list, places := map[[2]lifetime.Place]*lifetime.Overlap{}, v.view.Usage.Places
	for _, o := range v.view.Overlaps(a) {
		list[[2]lifetime.Place{places[o.From], places[o.To]}] = &o
	}
	return list
}

// insideCustom permits overlaps inside one custom operator: the only position at
// which both tensors are in use is that of an operator that has both. Its kernel is
// the maker's own, as is the compiler that planned it.
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

// customScratch permits overlaps with scratch of custom operators: compilers for
// other processors declare their whole memory as an input that nothing makes, with
// the tensors of other operators inside. Whether they agree only the maker knows.
func customScratch(v *verifier, p, q pinned) string {
	for _, x := range []pinned{p, q} {
		if x.scratch {
			return fmt.Sprintf("tensor %s is scratch of custom operators, made by none, and only their maker knows which bytes they use", x.ID)
		}
	}
	return ""
}

// markScratch finds the tensors that are scratch, and sets where the contents of
// every tensor begin to matter: those of scratch with its first reader.
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

// scratch reports whether a tensor is made by nothing and read by custom operators
// alone.
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

// operand reports whether the operator makes or reads a tensor of its subgraph.
func (v *verifier) operand(op *tflite.Operator, p pinned) bool {
	t := &v.model.Subgraphs[p.subgraph].Tensors[p.tensor]
	_, reads := slices.BinarySearch(t.Consumers, op.Index)
	return reads || t.Producer == op.Index
}
