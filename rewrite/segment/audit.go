package segment

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// audit parses the file of a part and compares it with the model, operator by operator.
func audit(m *tflite.Model, p Part, data []byte) error {
	got, err := tflite.Parse(data, m.Name)
	if err != nil {
		return refused("operators %d to %d would make a broken file: %v", p.First, p.Last, err)
	}
	a := &auditor{m: m, got: got, old: &m.Subgraphs[0], new: &got.Subgraphs[0]}
	if len(a.new.Operators) != p.Last-p.First+1 || !a.same(p.Inputs, a.new.Inputs) || !a.same(p.Outputs, a.new.Outputs) {
		return refused("the file of operators %d to %d would not be what was asked for", p.First, p.Last)
	}
	for i := range a.new.Operators {
		if !a.sameOperator(&a.old.Operators[p.First+i], &a.new.Operators[i]) {
			return refused("operator %d would not be the same in its file", p.First+i)
		}
	}
	return nil
}

// auditor compares a part with the model.
type auditor struct {
	m, got   *tflite.Model
	old, new *tflite.Subgraph
}

func (a *auditor) sameOperator(o, p *tflite.Operator) bool {
	return a.m.OperatorCodes[o.Code] == a.got.OperatorCodes[p.Code] &&
		a.same(o.Inputs, p.Inputs) && a.same(o.Outputs, p.Outputs) && a.same(o.Intermediates, p.Intermediates) &&
		tflite.SameOperator(o, p)
}

// same reports whether two lists hold equal tensors.
func (a *auditor) same(old, now []int) bool {
	if len(old) != len(now) {
		return false
	}
	for i, t := range old {
		if (t < 0) != (now[i] < 0) || t >= 0 && !a.sameTensor(&a.old.Tensors[t], &a.new.Tensors[now[i]]) {
			return false
		}
	}
	return true
}

func (a *auditor) sameTensor(s, t *tflite.Tensor) bool {
	return s.Name == t.Name && s.Type == t.Type && slices.Equal(s.Shape, t.Shape) && slices.Equal(s.Signature, t.Signature) &&
		s.HasRank == t.HasRank && s.Constant == t.Constant && s.Sparse == t.Sparse && s.Variable == t.Variable && tflite.SameTensor(s, t) &&
		bytes.Equal(a.m.Buffer(s).Data, a.got.Buffer(t).Data)
}
