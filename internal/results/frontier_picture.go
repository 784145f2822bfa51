package results

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/internal/units"
)

// Picture returns a picture of the points: a line for each --alias with additional points.
func (f *Frontier) Picture() *drawing.Page {
	figure, size := "required arena", func(p FrontierPoint) int64 { return p.Required }
	if !f.Before.Known() {
		figure, size = "head", func(p FrontierPoint) int64 { return p.Head }
	}
	c := picture.Curves{
		Title: f.Input + ": what an arena costs in work", Across: "extra multiply-accumulates", Up: figure + " (" + builtFor(f.ABI, f.Kernels) + ")",
		Limit: size(f.Before), LimitText: "as it is, " + units.Bytes(size(f.Before)),
	}
	for i, l := range f.Levels {
		own := func(p FrontierPoint) bool { return p.Alias == l.Alias }
		if i > 0 && !slices.ContainsFunc(l.Points, own) {
			continue // the same line as the level below
		}
		line := picture.Curve{Name: "--alias " + string(l.Alias)}
		for _, p := range l.Points {
			line.Points = append(line.Points, picture.CurvePoint{
				Percent: 100 * float64(p.ExtraMACs) / float64(max(f.OwnMACs, 1)), Bytes: size(p),
				Text: fmt.Sprintf("%s\nhead %s\n%s\n%s", units.Bytes(size(p)), units.Bytes(p.Head), inFull(f.work(p)), p.needs()),
			})
		}
		c.Lines = append(c.Lines, line)
	}
	return c.Page()
}
