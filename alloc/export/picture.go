package export

import (
	"cmp"
	"io"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/internal/render"
)

// pictureIn returns a writer of pictures in a format of package render.
func pictureIn(form string) func(io.Writer, *Plan) error {
	return func(w io.Writer, p *Plan) error {
		page, err := p.picture()
		if err != nil {
			return err
		}
		return render.Write(w, form, page)
	}
}

// picture draws the plan: positions from left to right, addresses upwards, and the lower bound as a
// line if the plan is above it. For a model it also shows the roles of tensors, the operators, and the
// live bytes over time.
func (p *Plan) picture() (*drawing.Page, error) {
	q, err := p.inOffsets()
	if err != nil {
		return nil, err
	}
	m := memorymap.Map{
		Records: p.Records, Offsets: q.Places.Offsets, Unit: memorymap.Operators, Load: p.Load,
		Total: q.Places.Total, LowerBound: p.Places.LowerBound, Capacity: p.Capacity,
	}
	if p.Trace {
		m.Unit = memorymap.Events
	}
	if p.Model != nil {
		m.Roles, m.Steps, m.Shares = p.Model.Roles, p.Model.Steps, p.Model.Shares
	}
	return picture.Memory{Title: cmp.Or(p.Title, p.Name), Below: p.Notes, Map: m}.Page(), nil
}
