package parts

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// Part is a run of operators from boundary From to boundary To, and its estimated cost. Boundary i
// precedes operator i. Stage is how the run is tiled, nil if its operators are unmodified.
type Part struct {
	From, To int
	Stage    *split.Stage
	Cost     Cost
}

// asIs returns the unmodified operators between two boundaries.
func (r *Row) asIs(from, to int) Part { return Part{From: from, To: to, Cost: r.Own(from, to)} }

// tiled returns the operators of a stage. The error is the reason why the stage cannot be computed.
func (r *Row) tiled(s split.Stage) (Part, error) {
	s.Alias = r.alias
	cost, err := r.memo.cost(s, func() (Cost, error) {
		f, err := split.Cut(r.model, s, r.base())
		if err != nil {
			return Cost{}, err
		}
		return r.cost(f, s.First, s.Last), nil
	})
	return Part{From: s.First, To: s.Last + 1, Stage: &s, Cost: cost}, err
}

// fragment returns the operators that replace those of a part. base is the index of the first tensor that
// they add.
func (r *Row) fragment(p *Part, base int) (*split.Fragment, error) {
	if p.Stage != nil {
		return split.Cut(r.model, *p.Stage, base)
	}
	f := &split.Fragment{}
	for i := p.From; i < p.To; i++ {
		f.Operators = append(f.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	return f, nil
}
