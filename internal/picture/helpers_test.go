package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/render"
)

// svg returns a picture as SVG.
func svg(p *drawing.Page) []byte {
	var b bytes.Buffer
	if err := render.SVG(&b, p); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// element is what the tests look at in a drawing.
type element struct {
	Name  xml.Name
	Attrs map[string]string
	Text  string
}

// parse reads the drawing as XML and returns the elements of one name.
func parse(t interface{ Fatalf(string, ...any) }, data []byte, name string) []element {
	var found []element
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, data)
		}
		switch v := token.(type) {
		case xml.StartElement:
			if v.Name.Local == name {
				e := element{Name: v.Name, Attrs: map[string]string{}}
				for _, a := range v.Attr {
					e.Attrs[a.Name.Local] = a.Value
				}
				found = append(found, e)
			}
		case xml.CharData:
			if len(found) > 0 && found[len(found)-1].Text == "" {
				found[len(found)-1].Text = strings.TrimSpace(string(v))
			}
		}
	}
}

// labels returns the texts of a page.
func labels(p *drawing.Page) (list []drawing.Label) {
	p.Each(func(m drawing.Mark) {
		if l, ok := m.(drawing.Label); ok {
			list = append(list, l)
		}
	})
	return list
}

// keep fails where a text leaves the page, or has half a character that its source did not have.
func keep(t interface{ Fatalf(string, ...any) }, p *drawing.Page, source string) {
	const rounding = 1
	for _, l := range labels(p) {
		long := l.Font.Long(l.Text)
		if x1, y1, x2, y2 := l.Span(long); x1 < -rounding || y1 < -rounding || x2 > p.Width+rounding || y2 > p.Height+rounding {
			t.Fatalf("%q reaches from %.1f, %.1f to %.1f, %.1f on a page of %.1f by %.1f", l.Text, x1, y1, x2, y2, p.Width, p.Height)
		}
		if !utf8.ValidString(l.Text) || strings.ContainsRune(l.Text, utf8.RuneError) && !strings.ContainsRune(source, utf8.RuneError) {
			t.Fatalf("%q has half a character", l.Text)
		}
	}
}
