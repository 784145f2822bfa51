package render

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/drawing"
)

// styleSheet returns the rules for the looks and fonts of a page, in order of use.
func styleSheet(p *drawing.Page) string {
	s := sheet{seen: map[any]bool{}, rules: []string{"text { font: 12px sans-serif; fill: #1b1f24 }"}}
	p.Each(func(m drawing.Mark) {
		switch m := m.(type) {
		case drawing.Rect:
			s.look(m.Look)
		case drawing.Circle:
			s.look(m.Look)
		case drawing.Path:
			s.look(m.Look)
		case drawing.Label:
			s.font(m.Font)
		}
	})
	return strings.Join(s.rules, "\n")
}

// A sheet is the rules of the visited part of a page.
type sheet struct {
	seen  map[any]bool
	rules []string
}

// selector returns the selector of a class, which may have several words, and whether its rules are
// still to be written.
func (s *sheet) selector(style any, class string) (selector string, write bool) {
	if class == "" || s.seen[style] {
		return "", false
	}
	s.seen[style] = true
	return "." + strings.ReplaceAll(class, " ", "."), true
}

func (s *sheet) add(selector string, rules ...string) {
	if len(rules) > 0 {
		s.rules = append(s.rules, selector+" { "+strings.Join(rules, "; ")+" }")
	}
}

func (s *sheet) look(l *drawing.Look) {
	selector, write := s.selector(l, l.Class)
	if !write {
		return
	}
	var rules []string
	if l.Fill != "" {
		rules = append(rules, "fill: "+l.Fill)
	}
	if l.Stroke != "" {
		rules = append(rules, "stroke: "+l.Stroke, fmt.Sprintf("stroke-width: %g", l.Width))
	}
	if len(l.Dash) > 0 {
		rules = append(rules, "stroke-dasharray: "+strings.Trim(fmt.Sprint(l.Dash), "[]"))
	}
	s.add(selector, rules...)
	if l.Hover {
		s.add(selector+":hover", "stroke: #000", "stroke-width: 2")
	}
}

func (s *sheet) font(f *drawing.Font) {
	selector, write := s.selector(f, f.Class)
	if !write {
		return
	}
	rules := []string{fmt.Sprintf("font-size: %gpx", f.Size), "fill: " + f.Colour}
	if f.Bold {
		rules = append(rules, "font-weight: bold")
	}
	if f.Through {
		rules = append(rules, "pointer-events: none")
	}
	s.add(selector, rules...)
}
