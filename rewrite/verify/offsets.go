package verify

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// offsets applies the laws about single tensors.
func (v *verifier) offsets() {
	for _, p := range v.pinned {
		uses := []Use{p.Use}
		switch {
		case p.Start < 0:
			v.report(LawOffset, Failure, p.index, uses, "%s starts in front of the arena; only -1 leaves a tensor to the runtime", p.Use)
		case p.Start%rewrite.Alignment != 0:
			v.report(LawAlignment, Failure, p.index, uses, "%s does not start at a multiple of %d", p.Use, rewrite.Alignment)
		}
		if p.End > math.MaxInt32 {
			v.report(LawRange, Failure, p.index, uses, "%s ends behind the last byte that the runtime can count", p.Use)
		}
	}
	v.sizes()
}

// sizes reports tensors with an offset and an unknown size.
func (v *verifier) sizes() {
	for _, l := range v.view.LeftOut {
		switch l.Reason {
		case rules.NoStaticSize, rules.UnknownDimensions, rules.TooLarge:
			if index := v.index(l.Subgraph, l.Tensor); v.plan.Offsets[index] != rewrite.Online {
				v.report(LawSize, Failure, index, nil, "tensor %s %q has an offset, but its size is not known: %s", l.ID, l.Name, l.Reason)
			}
		}
	}
}

// index returns the index of a tensor in the plan.
func (v *verifier) index(subgraph, tensor int) int { return v.first[subgraph] + tensor }

// ignored notes offsets that the runtime ignores, once per reason.
func (v *verifier) ignored() {
	counts, first := map[rules.Reason]int{}, map[rules.Reason]int{}
	var order []rules.Reason
	for _, l := range v.view.LeftOut {
		index := v.index(l.Subgraph, l.Tensor)
		if v.plan.Offsets[index] == rewrite.Online {
			continue
		}
		switch l.Reason {
		case rules.Constant, rules.ZeroSize, rules.VariableHandle, rules.Decompressed:
			if counts[l.Reason]++; counts[l.Reason] == 1 {
				first[l.Reason] = index
				order = append(order, l.Reason)
			}
		}
	}
	for _, reason := range order {
		v.report(LawIgnored, Note, first[reason], nil, "offsets that the runtime ignores (%s): %d", reason, counts[reason])
	}
}

// unused notes unused tensors that raise the head.
func (v *verifier) unused() {
	n, first := 0, 0
	for _, p := range v.pinned {
		if p.Last < 0 {
			if n++; n == 1 {
				first = p.index
			}
		}
	}
	if n > 0 {
		v.report(LawUnused, Note, first, nil, "tensors with an offset that are never used, and count for the head all the same: %d", n)
	}
}

// variableEntries checks the plan entries in which the runtime looks up the variables of later
// subgraphs.
func (v *verifier) variableEntries() {
	for s := 1; s < len(v.model.Subgraphs); s++ {
		for t := range v.model.Subgraphs[s].Tensors {
			if tensor := &v.model.Subgraphs[s].Tensors[t]; tensor.Variable {
				v.variableEntry(s, t, tensor)
			}
		}
	}
}

func (v *verifier) variableEntry(s, t int, tensor *tflite.Tensor) {
	own, seen := v.plan.Offsets[v.index(s, t)], v.plan.Offsets[t]
	if size, known := tensor.PackedBytes(); known && size == 0 || (own == rewrite.Online) == (seen == rewrite.Online) {
		return
	}
	name := fmt.Sprintf("variable %s %q", v.model.TensorID(s, t), tensor.Name)
	if own == rewrite.Online {
		v.report(LawVariableEntry, Failure, t, nil,
			"%s is left to the runtime, which looks at entry %d instead, finds offset %s, and gives it no memory at all", name, t, units.Number(seen))
		return
	}
	v.report(LawVariableEntry, Note, v.index(s, t), nil,
		"%s gets memory twice: the runtime looks at entry %d instead, which is -1", name, t)
}
