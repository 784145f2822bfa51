package parts

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// Candidate is one way to compute a run of operators, and the only interface that a search
// uses. To add another way to save memory, such as a loop over tiles, an overlapping output, or
// kernels with less scratch, add a type with these methods, and a line in [sieve] that tries
// it.
type Candidate interface {
	// Cost returns the estimated cost of the run. The error is the reason why the run cannot be
	// computed this way.
	Cost() (Cost, error)
	// Fragment returns the operators that replace the run. base is the index of the first
	// tensor that they add.
	Fragment(base int) (*split.Fragment, error)
	// Stage returns the run for reports, nil if the operators are unmodified.
	Stage() *split.Stage
}

// Part is a run of operators computed in one way, from boundary From to boundary To. Boundary i
// precedes operator i.
type Part struct {
	From, To int
	By       Candidate
	Cost     Cost
}

// asIs computes a run with the operators of the file.
type asIs struct {
	row      *Row
	from, to int
}

// AsIs returns the unmodified operators between two boundaries.
func (r *Row) AsIs(from, to int) Part {
	return Part{From: from, To: to, By: asIs{row: r, from: from, to: to}, Cost: r.own(from, to)}
}

func (c asIs) Cost() (Cost, error) { return c.row.own(c.from, c.to), nil }

func (c asIs) Fragment(int) (*split.Fragment, error) {
	f := &split.Fragment{}
	for i := c.from; i < c.to; i++ {
		f.Operators = append(f.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	return f, nil
}

func (c asIs) Stage() *split.Stage { return nil }

// inPieces computes a run as a tiled stage.
type inPieces struct {
	row   *Row
	stage split.Stage
}

func (c *inPieces) Cost() (Cost, error) { return c.row.memo.cost(c.stage, c.count) }

func (c *inPieces) count() (Cost, error) {
	f, err := c.Fragment(c.row.base())
	if err != nil {
		return Cost{}, err
	}
	return c.row.cost(f, c.stage.First, c.stage.Last), nil
}

func (c *inPieces) Fragment(base int) (*split.Fragment, error) {
	return split.Cut(c.row.model, c.stage, base)
}

func (c *inPieces) Stage() *split.Stage { return &c.stage }
