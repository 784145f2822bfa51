package parts

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
)

// takeOver finds the in-place outputs of a scene, in the order of operators, as
// [rules.View.Takeovers] will find them in the resulting file.
func (s *scene) takeOver() {
	shares := s.fragment.Shares
	for i := range s.fragment.Operators {
		for ; len(shares) > 0 && shares[0].Operator == i; shares = shares[1:] {
			s.share(shares[0])
		}
		s.inPlace(i)
	}
}

// share permits a part inside its whole.
func (s *scene) share(x split.Share) {
	whole, part := int(s.index[x.Whole])-1, int(s.index[x.Part])-1
	if whole < 0 || part < 0 || x.From%Align != 0 || x.From+s.records[part].Size > s.records[whole].Size {
		return
	}
	s.takeovers = append(s.takeovers, lifetime.Takeover{From: whole, To: part, Offset: x.From})
}

// inPlace permits the output of an operator in the memory of an input that dies there.
func (s *scene) inPlace(i int) {
	op := &s.fragment.Operators[i]
	code, added := op.Kind.Builtin()
	if !added {
		code = s.row.model.OperatorCodes[s.row.model.Subgraphs[0].Operators[op.Of].Code].Builtin
	}
	inputs, outputs := s.operands(op)
	if len(inputs) == 0 || len(outputs) != 1 || outputs[0] < 0 || !s.row.alias.InPlace(code) ||
		!s.row.device.IsReference() && !s.row.device.SharesInPlace(code, s.types(inputs)) {
		return
	}
	if rules.SharingOf(code) == rules.Padding {
		s.dying(inputs[0], outputs[0], i+1)
		return
	}
	for _, t := range inputs {
		if t < 0 || !slices.Equal(s.shape(t), s.shape(outputs[0])) || s.bits(t) != s.bits(outputs[0]) {
			return
		}
	}
	for _, t := range inputs {
		s.dying(t, outputs[0], i+1)
	}
}

// types returns the element types of tensors.
func (s *scene) types(list []int) (types []schema.TensorType) {
	for _, t := range list {
		if t >= 0 {
			types = append(types, s.tensor(t).Type)
		}
	}
	return types
}

// dying permits a tensor in the memory of one that ends at the position where it begins, with
// their last bytes aligned as far as possible.
func (s *scene) dying(from, to, position int) {
	if from < 0 || to < 0 || s.index[from] == 0 || s.index[to] == 0 {
		return
	}
	a, b := int(s.index[from])-1, int(s.index[to])-1
	front := s.packed(to) - s.packed(from)
	if s.records[a].Last != position || s.records[b].First != position || front < 0 {
		return
	}
	s.takeovers = append(s.takeovers, lifetime.Takeover{From: a, To: b, Offset: -RoundUp(front)})
}
