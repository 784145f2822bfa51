package shrink

import "github.com/tflarena/tflarena/rewrite"

// describe reports what limits the result, and the operators that it adds to the model.
func (s *Search) describe(g *Goal, r *Report) (err error) {
	best := &r.Steps[r.Best]
	if r.Bottleneck, err = s.bottleneck(g, best); err != nil {
		return err
	}
	m, err := best.model(s.own)
	if err == nil {
		r.NewOperators = rewrite.NewOperators(s.own, m)
	}
	return err
}
