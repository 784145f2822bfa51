// Package drawing holds a picture as values: shapes and texts on a page, which package render writes as
// SVG, PNG or PDF.
//
// Lengths are in pixels from the upper left corner, x to the right and y downwards. Colours are written
// as "#rrggbb"; "" means none.
package drawing

// A Page is a picture on a white background.
type Page struct {
	Width, Height float64
	// Title is the page's title for screen readers and file listings.
	Title string
	Marks []Mark
}

// A Mark is one of [Rect], [Path], [Circle], [Label] and [*Group]. Later marks cover earlier ones.
type Mark interface{ mark() }

// A Look is the common style of shapes. Looks are compared by address: a picture has one for each kind
// of thing that it shows.
type Look struct {
	// Class is the class in SVG, different for each look of a page.
	Class string
	// Fill and Stroke are colours. A shape may have its own fill if Fill is "".
	Fill, Stroke string
	// Width is the width of the stroke, and Dash the lengths of strokes and gaps, nil for no gaps.
	Width float64
	Dash  []float64
	// Hover outlines a shape under the pointer.
	Hover bool
}

// Hatched is a fill of transparent stripes.
const Hatched = "hatched"

// HatchColour is the colour of the stripes of [Hatched].
const HatchColour = "#b3261e"

// A Rect is a rectangle.
type Rect struct {
	X, Y, W, H float64
	Look       *Look
	// Fill is a colour or [Hatched], for a look that has none.
	Fill string
}

// A Point is a place on the page.
type Point struct{ X, Y float64 }

// A Path is several lines, or the areas within them if the look has a fill.
type Path struct {
	Parts [][]Point
	Look  *Look
}

// A Circle is a disc.
type Circle struct {
	X, Y, R float64
	Look    *Look
}

// A Group is marks with a tooltip.
type Group struct {
	Tip   string
	Marks []Mark
}

func (Rect) mark()   {}
func (Path) mark()   {}
func (Circle) mark() {}
func (Label) mark()  {}
func (*Group) mark() {}

// Add adds marks on top.
func (p *Page) Add(marks ...Mark) { p.Marks = append(p.Marks, marks...) }

// Line adds a straight line.
func (p *Page) Line(x1, y1, x2, y2 float64, look *Look) {
	p.Add(Path{Parts: [][]Point{{{x1, y1}, {x2, y2}}}, Look: look})
}

// Add adds marks on top.
func (g *Group) Add(marks ...Mark) { g.Marks = append(g.Marks, marks...) }

// Each calls f for every mark of the page except groups, in drawing order.
func (p *Page) Each(f func(Mark)) { each(p.Marks, f) }

func each(marks []Mark, f func(Mark)) {
	for _, m := range marks {
		if g, ok := m.(*Group); ok {
			each(g.Marks, f)
		} else {
			f(m)
		}
	}
}
