package render

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
)

var (
	plain  = &drawing.Font{Size: 12, Colour: "#000000"}
	heavy  = &drawing.Font{Class: "title", Size: 16, Bold: true, Colour: "#102030"}
	box    = &drawing.Look{Class: "box", Stroke: "#ffffff", Width: 1, Hover: true}
	disk   = &drawing.Look{Class: "disk", Fill: "#008000", Stroke: "#ffffff", Width: 1}
	dashed = &drawing.Look{Class: "dashed", Stroke: "#0000ff", Width: 2, Dash: []float64{6, 4}}
	area   = &drawing.Look{Class: "area", Fill: "#ff0000"}
)

// sample has one of each mark.
func sample() *drawing.Page {
	p := &drawing.Page{Width: 200, Height: 100, Title: "a <title>"}
	p.Add(&drawing.Group{Tip: "what & where", Marks: []drawing.Mark{drawing.Rect{X: 10, Y: 10, W: 40, H: 30, Look: box, Fill: "#00ff00"}}})
	p.Add(drawing.Rect{X: 60, Y: 10, W: 40, H: 30, Look: box, Fill: drawing.Hatched})
	p.Add(drawing.Circle{X: 130, Y: 25, R: 10, Look: disk})
	p.Add(drawing.Path{Parts: [][]drawing.Point{{{X: 150, Y: 10}, {X: 190, Y: 10}, {X: 190, Y: 40}}, {{X: 150, Y: 20}, {X: 150, Y: 40}, {X: 160, Y: 40}}}, Look: area})
	p.Line(10, 50, 190, 50, dashed)
	p.Add(drawing.Label{X: 10, Y: 70, Text: "a <b> & äΩЖ", Font: plain})
	p.Add(drawing.Label{X: 190, Y: 70, Text: "end", Font: heavy, Anchor: drawing.End, Halo: "#ffff00", HaloWidth: 3})
	p.Add(drawing.Label{X: 100, Y: 95, Text: "turned", Font: plain, Anchor: drawing.Middle, Turn: 40})
	return p
}

func written(t interface{ Fatal(...any) }, form string, p *drawing.Page) []byte {
	var b bytes.Buffer
	if err := Write(&b, form, p); err != nil {
		t.Fatal(form, err)
	}
	return b.Bytes()
}

// Each form gives the same bytes for the same picture, hands on what fails while it is written, and
// is known by its name.
func TestForms(t *testing.T) {
	for _, form := range Formats() {
		if data := written(t, form, sample()); len(data) == 0 || !bytes.Equal(data, written(t, form, sample())) {
			t.Errorf("%s: %d bytes, or others the second time", form, len(data))
		}
		if err := Write(full{}, form, sample()); err == nil {
			t.Errorf("%s: written to what takes nothing", form)
		}
		if !IsFormat(form) {
			t.Errorf("%s is no form", form)
		}
	}
	if IsFormat("bmp") || Formats()[0] != "svg" {
		t.Error(Formats())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Shapes in PNG have their colour at their place.
func TestPNG(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(written(t, "png", sample())))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size != image.Pt(400, 200) {
		t.Fatal(size)
	}
	for _, c := range []struct {
		x, y    float64
		r, g, b uint32
	}{
		{30, 25, 0, 0xff, 0},
		{130, 25, 0, 0x80, 0},
		{180, 12, 0xff, 0, 0},
		{5, 5, 0xff, 0xff, 0xff},
		{12, 50, 0, 0, 0xff},
		{18, 50, 0xff, 0xff, 0xff}, // a dash and a gap
	} {
		r, g, b, _ := img.At(int(c.x*2), int(c.y*2)).RGBA()
		if r>>8 != c.r || g>>8 != c.g || b>>8 != c.b {
			t.Errorf("at %v, %v: %02x %02x %02x", c.x, c.y, r>>8, g>>8, b>>8)
		}
	}
	if part := inked(img, 60, 10, 40, 30); part < 0.15 || part > 0.45 {
		t.Errorf("%.2f of the hatched area is not white", part)
	}
	if inked(img, 10, 58, 80, 14) < 0.05 || inked(img, 85, 75, 30, 20) < 0.03 {
		t.Error("there are no letters")
	}
}

// inked returns how much of a rectangle is not white.
func inked(img image.Image, x, y, w, h float64) float64 {
	n, all := 0, 0
	for i := int(2 * x); i < int(2*(x+w)); i++ {
		for k := int(2 * y); k < int(2*(y+h)); k++ {
			all++
			if r, g, b, _ := img.At(i, k).RGBA(); r&g&b != 0xffff {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// A picture of any size becomes an image that a machine can hold.
func TestLargePNG(t *testing.T) {
	img := newCanvas(&drawing.Page{Width: 30000, Height: 4000}).img.Bounds()
	if n := img.Dx() * img.Dy(); n > maxPixels || n < maxPixels/2 {
		t.Errorf("%d pixels", n)
	}
	if size := newCanvas(&drawing.Page{}).img.Bounds(); size.Empty() {
		t.Error("no image")
	}
}

// The style sheet says once how each kind of shape looks, and names cannot break out of the file.
func TestSVG(t *testing.T) {
	text := string(written(t, "svg", sample()))
	for _, want := range []string{
		".box { stroke: #ffffff; stroke-width: 1 }", ".box:hover {", ".disk { fill: #008000;", "stroke-dasharray: 6 4", ".title { font-size: 16px;",
		"what &amp; where", "a &lt;b&gt;", "a &lt;title&gt;", `fill="url(#hatched)" pointer-events="none"`, `text-anchor="end"`, "rotate(-40)", "\n<svg ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, ".box {") != 1 {
		t.Error("a look has two rules")
	}
}

// PDF has one page of the picture's size, its title and no date of today.
func TestPDF(t *testing.T) {
	text := string(written(t, "pdf", sample()))
	for _, want := range []string{"%PDF-", "/MediaBox [0 0 200.00 100.00]", "(D:20000101000000)", "/Count 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if dates := regexp.MustCompile(`\(D:\d+`).FindAllString(text, -1); len(dates) != 2 || dates[0] != dates[1] {
		t.Error(dates)
	}
}

// Whatever text there is, each form has it, and letters are no wider than texts are taken to be.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"😀名前 \\(", "مرحبا", "a\u0301", "\uffff\ufffd"})).Draw(t, "text")
		font := rapid.SampledFrom([]*drawing.Font{plain, heavy}).Draw(t, "font")
		text = font.Fit(text, 1e6)
		p := &drawing.Page{Width: 200, Height: 100, Title: text}
		p.Add(drawing.Label{X: 100, Y: 50, Text: text, Font: font, Anchor: drawing.Middle, Turn: rapid.SampledFrom([]float64{0, 40}).Draw(t, "turn")})
		for _, form := range Formats() {
			if len(written(t, form, p)) == 0 {
				t.Fatal(form)
			}
		}
		f := newFaces().of(font)
		if long := f.length(f.shown(text)) * font.Size; long > font.Long(text)+1e-6 {
			t.Fatalf("%q is %.1f wide, and taken for %.1f", text, long, font.Long(text))
		}
	})
}

// No character of Latin, Greek and Cyrillic is wider than it is taken to be.
func TestAdvances(t *testing.T) {
	for _, font := range []*drawing.Font{plain, heavy} {
		f := newFaces().of(font)
		for r := rune(' '); r < 0x2600; r++ {
			if g, ok := f.glyph(r); ok && f.advance(g)*font.Size > font.Long(string(r)) {
				t.Errorf("%q takes %.2f, and is taken for %.2f (bold: %v)", r, f.advance(g), font.Long(string(r))/font.Size, font.Bold)
			}
		}
	}
}
