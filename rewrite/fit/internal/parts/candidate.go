package parts

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// A Candidate is one way to compute a run of operators. A search asks it for nothing else.
// Another way to need less memory, such as a loop over tiles, an output that overlaps its input
// diagonally, or kernels that ask for less scratch, is another type with these methods, and a
// line in [sieve] that tries it.
type Candidate interface {
	// Cost returns what the run costs this way, as an estimate. The error says why the run
	// cannot be computed this way.
	Cost() (Cost, error)
	// Fragment returns the operators that take the place of the run. base is the index of the
	// first tensor that they add.
	Fragment(base int) (*split.Fragment, error)
	// Link returns the run as a link of a memory plan.
	Link() (*inplace.Link, error)
	// Stage returns the run as a report shows it, nil where the operators stay as they are.
	Stage() *split.Stage
}

// A Part is a run of operators, computed in one way: from boundary From to boundary To,
// boundary i being in front of operator i.
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

// AsIs returns the operators between two boundaries as they are.
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

func (c asIs) Link() (*inplace.Link, error) {
	f, err := c.Fragment(0)
	if err != nil {
		return nil, err
	}
	return c.row.link(f, c.from, c.to), nil
}

func (c asIs) Stage() *split.Stage { return nil }

// inPieces computes a run as a stage, piece by piece.
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

func (c *inPieces) Link() (*inplace.Link, error) {
	f, err := c.Fragment(c.row.base())
	if err != nil {
		return nil, err
	}
	return c.row.link(f, c.stage.First, c.stage.Last+1), nil
}

func (c *inPieces) Stage() *split.Stage { return &c.stage }
