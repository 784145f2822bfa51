package picture

import (
	"io"

	svg "github.com/ajstarks/svgo/float"

	"github.com/tflarena/tflarena/internal/tables"
)

// The measures of a page, in pixels, with what is around the drawing on it.
const (
	width, height = 1200.0, 640.0
	left, right   = 110.0, 20.0
	top, bottom   = 60.0, 50.0
)

// begin begins a page with its title and a line below that.
func begin(w io.Writer, style, title, below string) *svg.SVG {
	title = tables.Printable(title)
	page := svg.New(w)
	page.Startview(width, height, 0, 0, width, height)
	page.Style("text/css", style)
	page.Title(title)
	page.Rect(0, 0, width, height, `fill="#fff"`)
	page.Text(left, 26, tables.Elide(title, 100), `class="title"`)
	page.Text(left, 46, below)
	return page
}
