package parts

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// overlap finds the outputs of a scene that may overlap a dying input, as [rules.View.Overlaps]
// will find them in the resulting file. Added operators are excluded: their copies are
// in-place.
func (s *scene) overlap() {
	if !s.row.alias.Overlaps() {
		return
	}
	for i := range s.fragment.Operators {
		op := &s.fragment.Operators[i]
		if op.Kind > edit.Valid {
			continue
		}
		stand, inputs, to := s.stand(op)
		if to < 0 || s.records[to].First != i+1 {
			continue
		}
		for k, t := range inputs {
			if t < 0 || slices.Index(inputs, t) < k || s.index[t] == 0 || s.records[s.index[t]-1].Last != i+1 {
				continue
			}
			if distance, ok := stand.Distance(k); ok && RoundUp(distance) < s.records[to].Size {
				s.overlaps = append(s.overlaps, lifetime.Overlap{From: int(s.index[t]) - 1, To: to, At: i + 1, Distance: distance})
			}
		}
	}
}

// stand returns an operator of the fragment as the rules see it, its inputs, and the record of
// its only output, -1 if there is none.
func (s *scene) stand(op *edit.Operator) (stand *rules.Hypothetical, inputs []int, to int) {
	inputs, outputs := s.operands(op)
	if len(outputs) != 1 || outputs[0] < 0 {
		return nil, nil, -1
	}
	stand = &rules.Hypothetical{
		Model: s.row.model, Operator: &s.row.model.Subgraphs[0].Operators[op.Of], Valid: op.Kind == edit.Valid,
		Device: s.row.device, Alias: s.row.alias,
	}
	for _, t := range inputs {
		stand.Inputs = append(stand.Inputs, s.tensor(t))
	}
	stand.Outputs = []*tflite.Tensor{s.tensor(outputs[0])}
	return stand, inputs, int(s.index[outputs[0]]) - 1
}

// tensor returns a tensor as a file would have it, or nil for an omitted one. It returns the
// same pointer each time.
func (s *scene) tensor(t int) *tflite.Tensor {
	if t < 0 {
		return nil
	}
	if t < s.base {
		return &s.row.model.Subgraphs[0].Tensors[t]
	}
	if made := s.made[t]; made != nil {
		return made
	}
	e := &s.fragment.Tensors[t-s.base]
	made := &tflite.Tensor{Type: e.Type, Shape: e.Shape, HasRank: true}
	if e.Like >= 0 {
		made.Type = s.row.model.Subgraphs[0].Tensors[e.Like].Type
	}
	if s.made == nil {
		s.made = map[int]*tflite.Tensor{}
	}
	s.made[t] = made
	return made
}
