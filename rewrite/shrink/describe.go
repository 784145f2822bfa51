package shrink

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// describe reports what limits the result, and the operators that it adds to the model.
func (s *Search) describe(g *Goal, r *Report) (err error) {
	best := &r.Steps[r.Best]
	if r.Bottleneck, err = s.bottleneck(g, best); err != nil {
		return err
	}
	m, err := best.model(s.own)
	if err == nil {
		r.NewOperators = newOperators(s.own, m)
	}
	return err
}

// newOperators returns the kinds of operators of m that old does not have.
func newOperators(old, m *tflite.Model) (names []string) {
	for i := range m.Subgraphs[0].Operators {
		name := m.Subgraphs[0].Operators[i].Name
		known := slices.ContainsFunc(old.Subgraphs[0].Operators, func(op tflite.Operator) bool { return op.Name == name })
		if !known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
