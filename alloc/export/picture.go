package export

import (
	"cmp"
	"io"

	"github.com/tflarena/tflarena/internal/picture"
)

// writePicture draws the plan as an SVG: positions from left to right, addresses upwards, and
// the lower bound as a line where the plan is above it. Of a model it also shows what tensors are there for,
// the operators, and the load over time.
func writePicture(w io.Writer, p *Plan) error {
	q, err := p.inOffsets()
	if err != nil {
		return err
	}
	if scene := p.Scene; scene != nil {
		_, err = w.Write(picture.Model{
			Title: cmp.Or(p.Title, p.Name), Below: p.Notes, Records: p.Records, Offsets: q.Places.Offsets, Roles: scene.Roles, Steps: scene.Steps,
			Total: q.Places.Total, LowerBound: p.Places.LowerBound, Capacity: scene.Capacity, Shares: scene.Shares,
		}.SVG())
		return err
	}
	_, err = w.Write(picture.Map{
		Title: cmp.Or(p.Title, p.Name), Trace: p.Trace, Records: p.Records, Offsets: q.Places.Offsets,
		Total: q.Places.Total, LowerBound: p.Places.LowerBound,
	}.SVG())
	return err
}
